-- The templates of delivery notes and pick lists that come with the service, unless this installation has some with their names.
insert into report_template (model_type, name, description, template, filename_pattern)
select model_type, name, description, template, filename_pattern from (values
  ('salesordershipment', 'InvenTree Sales Order Shipment', 'Delivery note of a shipment',
   'report/inventree/shipment/sales_order_shipment_report.html', '{{ order.reference }}-{{ reference }}.pdf'),
  ('transferorder', 'InvenTree Transfer Order', 'Pick list of a transfer order',
   'report/inventree/transferorder/transfer_order_report.html', '{{ reference }}.pdf')
) shipped (model_type, name, description, template, filename_pattern)
where not exists (select from report_template existing where existing.model_type = shipped.model_type and existing.name = shipped.name);
--> statement-breakpoint
-- Files of shipped reports are named by their objects, where nobody chose another name.
update report_template set filename_pattern = case model_type
    when 'part' then 'BOM-{{ part.name }}.pdf'
    when 'stocklocation' then '{{ stock_location.name }}.pdf'
    else '{{ reference }}.pdf'
  end
where template like 'report/inventree/%' and filename_pattern = 'report.pdf'
  and model_type in ('part', 'build', 'purchaseorder', 'salesorder', 'returnorder', 'stocklocation');
