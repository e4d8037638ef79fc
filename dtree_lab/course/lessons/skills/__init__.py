"""What is drawn for practice and stands in no lesson's page, and the exam."""
