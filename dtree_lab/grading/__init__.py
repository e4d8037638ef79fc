"""Marks for a course: a learner's process computes, and another one, which never ran it, judges.

Submissions are rebuilt on what was released (:mod:`rebuild`), run in a sandbox (:mod:`runner`,
:mod:`sandbox`), judged from outside through a pipe that carries plain data (:mod:`remote`,
:mod:`judge`), and kept one file each (:mod:`records`). nbgrader's folders and its gradebook stay.
"""
