-- The exact counts of the lists of these tables.
select watch_changes('part_attachment'), watch_changes('company_attachment'), watch_changes('manufacturer_part_attachment'),
  watch_changes('purchase_order_attachment'), watch_changes('stock_item_attachment');
--> statement-breakpoint
-- A file goes after its attachment, also where that goes with its object.
select keep_files('part_attachment', 'attachment'), keep_files('company_attachment', 'attachment'),
  keep_files('manufacturer_part_attachment', 'attachment'), keep_files('purchase_order_attachment', 'attachment'),
  keep_files('stock_item_attachment', 'attachment');
