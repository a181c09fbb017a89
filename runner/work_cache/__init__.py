"""Work that was done, kept on disk by the content that it follows from: chunks, sizes, indexes, rankings."""
