import type { companies as words } from '../en/companies.ts'

export const companies: Record<keyof typeof words, string> = {
  'companies.customer': 'Kunde',
  'companies.inactive': 'Inaktiv',
  'companies.manufacturer': 'Hersteller',
  'companies.new': 'Neue Firma',
  'companies.none': 'Noch keine Firmen',
  'companies.roles': 'Rollen',
  'companies.supplier': 'Lieferant',
  'companies.title': 'Firmen',
}
