/** A condition that the filters of a template can have, by its kind. */
export const FILTER_EXAMPLES: Readonly<Record<string, string>> = {
  'label/part': 'active=true',
  'label/stock': 'batch=L2031',
  'label/location': 'name=Rack 1',
  'label/buildline': 'quantity=1',
  'report/bom': 'active=true',
  'report/build': 'priority=1',
  'report/po': 'supplier_reference=A-17',
  'report/so': 'customer_reference=A-17',
  'report/ro': 'customer_reference=A-17',
  'report/slr': 'name=Rack 1',
  'report/test': 'batch=L2031',
}
