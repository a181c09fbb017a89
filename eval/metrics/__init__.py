"""The measures: one value per question first, means with their ledger after."""
