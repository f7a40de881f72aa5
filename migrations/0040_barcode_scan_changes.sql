-- The exact count of the list of this table.
select watch_changes('barcode_scan');
