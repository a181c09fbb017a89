"""The readers of single formats: each turns files of others into drafts of documents and questions."""
