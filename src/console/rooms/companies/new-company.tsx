import facts from 'facts:/api/company/'
import { post } from '../../kit/api.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Fields, Problem, useForm } from '../../kit/form.tsx'
import { t } from '../../kit/language.ts'
import { navigate } from '../../kit/router.ts'
import { type Company, ELSEWHERE } from './company-facts.tsx'

const FIELDS = ['name', 'description', 'is_supplier', 'is_manufacturer', 'is_customer', 'website', 'email']

/** Asks for what a new company needs, and goes to its page. */
export function NewCompany({ onClose }: { onClose: () => void }) {
  const form = useForm(facts, { active: true, is_supplier: true, is_manufacturer: false, is_customer: false })
  async function make() {
    const answer = await form.submitOnce((key) => post<Company>(facts.path, form.values.value, key))
    if (answer) navigate(`/company/${answer.body.pk}/`)
  }
  return (
    <Dialog title={t('companies.new')} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          make()
        }}
      >
        <Fields form={form} names={FIELDS} without={ELSEWHERE} />
        <Problem form={form} />
        <div class="buttons">
          <button type="submit" class="primary" disabled={form.isBusy.value}>
            {t('create')}
          </button>
          <button type="button" onClick={onClose}>
            {t('cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
