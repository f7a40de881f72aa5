export const companies = {
  'companies.customer': 'Customer',
  'companies.inactive': 'Inactive',
  'companies.manufacturer': 'Manufacturer',
  'companies.new': 'New company',
  'companies.none': 'No companies yet',
  'companies.roles': 'Roles',
  'companies.supplier': 'Supplier',
  'companies.title': 'Companies',
} as const
