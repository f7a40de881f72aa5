import addressMetadata from 'metadata:/api/company/address/'
import contactMetadata from 'metadata:/api/company/contact/'
import type { GridColumn } from '../../kit/grid/grid.tsx'
import { RowsPanel } from '../../kit/grid/rows-panel.tsx'
import { t } from '../../kit/language/language.ts'

/** A contact at a company. */
export type Contact = { pk: number; etag?: string; name: string; role: string; email: string; phone: string }

/** An address of a company. One of them is the primary one. */
export type Address = {
  pk: number
  etag?: string
  title: string
  primary: boolean
  line1: string
  line2: string
  postal_code: string
  postal_city: string
  province: string
  country: string
  shipping_notes: string
  internal_shipping_notes: string
}

/** Paths of their lists. */
export const CONTACTS_PATH = contactMetadata.path
export const ADDRESSES_PATH = addressMetadata.path

const renderEmailLink = (email: string) => email && <a href={`mailto:${email}`}>{email}</a>

/** On a phone the name is above the role and the email address. */
const CONTACT_COLUMNS: readonly GridColumn<Contact>[] = [
  {
    name: 'name',
    cell: ({ name, role, email }) => (
      <>
        {name}
        <span class="narrow-only">
          <small>
            {role} {renderEmailLink(email)}
          </small>
        </span>
      </>
    ),
    edit: true,
  },
  { name: 'role', isWide: true, cell: ({ role }) => role, edit: true },
  { name: 'email', isWide: true, cell: ({ email }) => renderEmailLink(email), edit: true },
  { name: 'phone', cell: ({ phone }) => phone && <a href={`tel:${phone}`}>{phone}</a>, edit: true },
]

/** On a phone the street is above the city. */
const ADDRESS_COLUMNS: readonly GridColumn<Address>[] = [
  { name: 'title', width: '9rem', cell: ({ title }) => title, edit: true },
  { name: 'primary', width: '5rem', isWide: true, cell: ({ primary }) => (primary ? t('yes') : ''), edit: true },
  {
    name: 'line1',
    cell: ({ line1, postal_code, postal_city, country }) => (
      <>
        {line1}
        <span class="narrow-only">
          <small>{[postal_code, postal_city, country].filter(Boolean).join(' ')}</small>
        </span>
      </>
    ),
    edit: true,
  },
  { name: 'line2', isDesk: true, cell: ({ line2 }) => line2, edit: true },
  { name: 'postal_code', width: '7rem', isWide: true, cell: ({ postal_code }) => postal_code, edit: true },
  { name: 'postal_city', isWide: true, cell: ({ postal_city }) => postal_city, edit: true },
  { name: 'country', isWide: true, cell: ({ country }) => country, edit: true },
  { name: 'shipping_notes', isDesk: true, cell: ({ shipping_notes }) => <small>{shipping_notes}</small>, edit: true },
]

type Properties<Row> = {
  company: number
  rows: readonly Row[]
  rights: { add: boolean; change: boolean; delete: boolean }
  onChanged: () => void
}

/** The contacts of a company. */
export const Contacts = ({ company, rows, rights, onChanged }: Properties<Contact>) => (
  <RowsPanel<Contact>
    title={t('companies.contacts')}
    metadata={contactMetadata}
    rows={rows}
    columns={CONTACT_COLUMNS}
    getName={({ name }) => name}
    rights={rights}
    addForm={{
      title: t('companies.new-contact'),
      keys: 'n',
      start: { company },
      names: ['name', 'role', 'email', 'phone'],
      without: ['company'],
    }}
    onChanged={onChanged}
  />
)

/** The addresses of a company. */
export const Addresses = ({ company, rows, rights, onChanged }: Properties<Address>) => (
  <RowsPanel<Address>
    title={t('companies.addresses')}
    metadata={addressMetadata}
    rows={rows}
    columns={ADDRESS_COLUMNS}
    getName={({ title }) => title}
    rights={rights}
    isSecondary
    addForm={{
      title: t('companies.new-address'),
      keys: 'a',
      start: { company, primary: false },
      names: ['title', 'line1', 'line2', 'postal_code', 'postal_city', 'province', 'country', 'primary'],
      without: ['company'],
    }}
    onChanged={onChanged}
  />
)
