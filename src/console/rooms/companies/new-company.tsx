import facts from 'facts:/api/company/'
import { post } from '../../kit/api.ts'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { t } from '../../kit/language.ts'
import { navigate } from '../../kit/router.ts'
import { type Company, ELSEWHERE } from './company-facts.tsx'

const FIELDS = ['name', 'description', 'is_supplier', 'is_manufacturer', 'is_customer', 'website', 'email']

/** Asks for what a new company needs, and goes to its page. */
export const NewCompany = ({ onClose }: { onClose: () => void }) => (
  <FormDialog<Company>
    title={t('companies.new')}
    facts={facts}
    start={{ active: true, is_supplier: true, is_manufacturer: false, is_customer: false }}
    names={FIELDS}
    without={ELSEWHERE}
    send={async (values, key) => (await post<Company>(facts.path, values, key)).body}
    onDone={({ pk }) => navigate(`/company/${pk}/`)}
    onClose={onClose}
  />
)
