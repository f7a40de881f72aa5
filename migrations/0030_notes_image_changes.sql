-- The exact count of the list of this table, and the end of its files.
select watch_changes('notes_image'), keep_files('notes_image', 'image');
