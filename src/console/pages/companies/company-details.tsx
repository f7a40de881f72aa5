import { t } from '../../kit/language/language.ts'
import { Badge } from '../../kit/page/page.tsx'

/** A company, as in `/api/company/`. */
export type Company = {
  pk: number
  /** Its version, in lists with `etag=true`. */
  etag?: string
  name: string
  description: string
  website: string
  phone: string
  address: string | null
  email: string | null
  currency: string
  contact: string
  link: string
  image: string | null
  active: boolean
  is_customer: boolean
  is_manufacturer: boolean
  is_supplier: boolean
  notes: string | null
  parts_supplied: number
  parts_manufactured: number
}

/** The roles of a company. */
export const Roles = ({ company }: { company: Company }) => (
  <span class="badges">
    {company.is_supplier && <Badge>{t('companies.supplier')}</Badge>}
    {company.is_manufacturer && <Badge>{t('companies.manufacturer')}</Badge>}
    {company.is_customer && <Badge>{t('companies.customer')}</Badge>}
    {!company.active && <Badge tone="warn">{t('companies.inactive')}</Badge>}
  </span>
)

/** The fields of its forms, in order. The others are under "More". */
export const FORM_FIELDS = [
  'name',
  'description',
  'is_supplier',
  'is_manufacturer',
  'is_customer',
  'currency',
  'website',
  'email',
  'phone',
  'contact',
]

/** Fields with their own control outside the form. */
export const EXCLUDED_FIELDS = ['notes', 'image', 'remote_image']
