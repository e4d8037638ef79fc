# Grows each table given as a csv (its target last, in column y) and tells, of every node, its number
# and what it asks, then for each row the number of the node where it stops.
suppressMessages(library(rpart))
for (path in commandArgs(trailingOnly = TRUE)) {
  rows <- read.csv(path, stringsAsFactors = TRUE, na.strings = "NA", check.names = FALSE)
  method <- if (is.factor(rows$y)) "class" else "anova"
  control <- rpart.control(minsplit = 20, minbucket = 7, cp = -1, xval = 0,
                           maxsurrogate = 0, usesurrogate = 0, maxcompete = 0)
  fit <- rpart(y ~ ., rows, method = method, control = control)
  node <- as.numeric(row.names(fit$frame))
  cat("table", sub("\\.csv$", "", basename(path)), "\n")
  cat("asks", paste(node, fit$frame$var, sep = ":"), "\n")
  cat("rows", node[fit$where], "\n")
}
