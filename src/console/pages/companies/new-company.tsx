import metadata from 'metadata:/api/company/'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { t } from '../../kit/language/language.ts'
import { navigate, query } from '../../kit/navigation/router.ts'
import { post } from '../../kit/service/api.ts'
import { type Company, SERVICE_PATHS } from './company-details.tsx'

const FIELDS = ['name', 'description', 'is_supplier', 'is_manufacturer', 'is_customer', 'website', 'email']

const ROLES = ['is_supplier', 'is_manufacturer', 'is_customer']

/** Initial roles: those that the list is filtered by, else supplier. */
function roles(): Record<string, boolean> {
  const narrowed = ROLES.filter((role) => query(role) === 'true')
  const selectedRoles = narrowed.length > 0 ? narrowed : ['is_supplier']
  return Object.fromEntries(ROLES.map((role) => [role, selectedRoles.includes(role)]))
}

/** The form for a new company, which opens its page. */
export const NewCompany = ({ onClose }: { onClose: () => void }) => (
  <FormDialog<Company>
    title={t('companies.new')}
    metadata={metadata}
    start={{ active: true, ...roles() }}
    names={FIELDS}
    without={SERVICE_PATHS}
    send={async (values, key) => (await post<Company>(metadata.path, values, key)).body}
    onDone={({ pk }) => navigate(`/company/${pk}/`)}
    onClose={onClose}
  />
)
