-- Lists of templates tell of their changes.
select watch_changes(watched::regclass) from unnest(array[
  'part_label', 'stock_item_label', 'stock_location_label', 'build_line_label', 'bom_report', 'build_report',
  'purchase_order_report', 'sales_order_report', 'return_order_report', 'stock_location_report', 'test_report', 'report_asset',
  'report_snippet'
]) watched;
--> statement-breakpoint
-- The templates that come with the service, made this once: one that is deleted stays deleted, and one that is changed stays as it is.
-- Their files come with the service too, at these paths, which existing systems have.
insert into part_label (name, description, label, width, height) values
  ('Part Label', 'QR code, name, number and description', 'label/inventree/part/part_label.html', 70, 24),
  ('Barcode Part Label', 'Name and Code 128 barcode', 'label/inventree/part/part_label_code128.html', 70, 24);
--> statement-breakpoint
insert into stock_item_label (name, description, label, width, height) values
  ('QR Code', 'QR code alone', 'label/inventree/stockitem/qr.html', 24, 24);
--> statement-breakpoint
insert into stock_location_label (name, description, label, width, height) values
  ('QR Code', 'QR code alone', 'label/inventree/stocklocation/qr.html', 24, 24),
  ('QR and text', 'QR code and name', 'label/inventree/stocklocation/qr_and_text.html', 50, 24);
--> statement-breakpoint
insert into build_line_label (name, description, label, width, height) values
  ('Build Line Label', 'What a build order needs of a part', 'label/inventree/buildline/buildline_label.html', 125, 48);
--> statement-breakpoint
insert into test_report (name, description, template) values
  ('InvenTree Test Report', 'Test report', 'report/inventree/test/inventree_test_report.html');
--> statement-breakpoint
insert into build_report (name, description, template) values
  ('InvenTree Build Order', 'Build order report', 'report/inventree/build/inventree_build_order.html');
--> statement-breakpoint
insert into bom_report (name, description, template) values
  ('Bill of Materials', 'Bill of materials report', 'report/inventree/bom/inventree_bill_of_materials_report.html');
--> statement-breakpoint
insert into purchase_order_report (name, description, template) values
  ('InvenTree Purchase Order', 'Purchase order report', 'report/inventree/purchaseorder/inventree_po_report.html');
--> statement-breakpoint
insert into sales_order_report (name, description, template) values
  ('InvenTree Sales Order', 'Sales order report', 'report/inventree/salesorder/inventree_so_report.html');
--> statement-breakpoint
insert into return_order_report (name, description, template) values
  ('InvenTree Return Order', 'Return order report', 'report/inventree/returnorder/inventree_return_order_report.html');
--> statement-breakpoint
insert into stock_location_report (name, description, template) values
  ('InvenTree Stock Location', 'What is in a stock location', 'report/inventree/slr/inventree_slr_report.html');
--> statement-breakpoint
select keep_files(of::regclass, 'label') from unnest(array['part_label', 'stock_item_label', 'stock_location_label', 'build_line_label']) of;
--> statement-breakpoint
select keep_files(of::regclass, 'template') from unnest(array[
  'bom_report', 'build_report', 'purchase_order_report', 'sales_order_report', 'return_order_report', 'stock_location_report', 'test_report'
]) of;
--> statement-breakpoint
select keep_files('report_asset', 'asset'), keep_files('report_snippet', 'snippet'), keep_files('printed_file', 'file');
