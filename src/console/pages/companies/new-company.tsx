import metadata from 'metadata:/api/company/'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { t } from '../../kit/language/language.ts'
import { navigate, readQuery } from '../../kit/navigation/router.ts'
import { post } from '../../kit/service/api.ts'
import { type Company, EXCLUDED_FIELDS } from './company-details.tsx'

const FIELDS = ['name', 'description', 'is_supplier', 'is_manufacturer', 'is_customer', 'website', 'email']

const ROLES = ['is_supplier', 'is_manufacturer', 'is_customer']

/** The initial roles: those that the list is filtered by, otherwise supplier. */
function getInitialRoles(): Record<string, boolean> {
  const filteredRoles = ROLES.filter((role) => readQuery(role) === 'true')
  const selectedRoles = filteredRoles.length > 0 ? filteredRoles : ['is_supplier']
  return Object.fromEntries(ROLES.map((role) => [role, selectedRoles.includes(role)]))
}

/** The form for a new company, which opens its page. */
export const NewCompany = ({ onClose }: { onClose: () => void }) => (
  <FormDialog<Company>
    title={t('companies.new')}
    metadata={metadata}
    start={{ active: true, ...getInitialRoles() }}
    names={FIELDS}
    without={EXCLUDED_FIELDS}
    send={async (values, key) => (await post<Company>(metadata.path, values, key)).body}
    onDone={({ pk }) => navigate(`/company/${pk}/`)}
    onClose={onClose}
  />
)
