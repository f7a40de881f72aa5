import facts from 'facts:/api/company/'
import { useSignal } from '@preact/signals'
import { useRead } from '../../kit/data.ts'
import { Edit } from '../../kit/edit.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useCommands } from '../../kit/keys.ts'
import { label, number, t } from '../../kit/language.ts'
import { Facts, Page, type PageProperties, Panel } from '../../kit/page.tsx'
import { Refused } from '../../kit/refused.tsx'
import { may } from '../../kit/session.ts'
import { type Company, ELSEWHERE, FIELDS, Roles } from './company-facts.tsx'

/** `/company/:pk/`: one company. */
export function CompanyPage({ at }: PageProperties) {
  const url = `/api/company/${at.pk}/`
  const { data, refusal, again } = useRead<{ company: Company }>({ company: url })
  const isEditing = useSignal(false)
  const mayChange = may('change', 'purchase_order', 'sales_order', 'return_order')
  const edit = () => {
    isEditing.value = true
  }
  useCommands(() => (mayChange ? [{ keys: 'e', label: () => t('edit'), run: edit }] : []), [mayChange])
  const crumbs = [{ text: t('companies.title'), to: '/company/' }]
  if (refusal) return <Refused refusal={refusal} crumbs={crumbs} />
  if (!data) return null
  const { body: company } = data.company
  const button = mayChange && !isEditing.value && (
    <button type="button" onClick={edit}>
      <Icon name="edit" />
      {t('edit')}
    </button>
  )
  return (
    <Page title={company.name} crumbs={crumbs} state={<Roles company={company} />} actions={button}>
      <div class="columns">
        <Panel>
          {isEditing.value ? (
            <Edit
              facts={facts}
              url={url}
              start={data.company}
              names={FIELDS}
              without={ELSEWHERE}
              onSaved={() => {
                isEditing.value = false
                again()
              }}
              onCancel={() => {
                isEditing.value = false
              }}
            />
          ) : (
            <Facts
              rows={[
                [label('description'), company.description],
                [label('website'), company.website && <a href={company.website}>{company.website}</a>],
                [label('email'), company.email && <a href={`mailto:${company.email}`}>{company.email}</a>],
                [label('phone'), company.phone && <a href={`tel:${company.phone}`}>{company.phone}</a>],
                [label('contact'), company.contact],
                [label('address'), company.address],
                [label('currency'), company.currency],
                [label('link'), company.link && <a href={company.link}>{company.link}</a>],
                [label('parts_supplied'), company.is_supplier && number(company.parts_supplied)],
                [label('parts_manufactured'), company.is_manufacturer && number(company.parts_manufactured)],
              ]}
            />
          )}
        </Panel>
        {company.notes && (
          <Panel title={label('notes')}>
            <p class="notes">{company.notes}</p>
          </Panel>
        )}
      </div>
    </Page>
  )
}
