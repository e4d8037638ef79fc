# What ships with R's packages: rpart's table of its vignette and the tree that it prints of it, as it
# stands there; and ranger's out-of-bag errors of a csv, seed by seed.
suppressMessages(library(rpart))
given <- commandArgs(trailingOnly = TRUE)
if (given[1] == "kyphosis") {
  write.csv(kyphosis, given[2], row.names = FALSE, quote = FALSE)
  print(rpart(Kyphosis ~ Age + Number + Start, data = kyphosis))
} else {
  suppressMessages(library(ranger))
  rows <- read.csv(given[2], stringsAsFactors = TRUE)
  for (seed in 1:as.numeric(given[4])) {
    forest <- ranger(y ~ ., rows, num.trees = as.numeric(given[3]), mtry = as.numeric(given[5]),
                     seed = seed, num.threads = 1)
    cat(forest$prediction.error, "\n")
  }
}
