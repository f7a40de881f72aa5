import facts from 'facts:/api/company/'
import { useSignal } from '@preact/signals'
import { type Page as ListPage, withQuery } from '../../kit/api.ts'
import { useRead } from '../../kit/data.ts'
import { Edit } from '../../kit/edit.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useCommands } from '../../kit/keys.ts'
import { label, number, t } from '../../kit/language.ts'
import { Facts, Page, type PageProperties, Panel } from '../../kit/page.tsx'
import { Refused } from '../../kit/refused.tsx'
import { may } from '../../kit/session.ts'
import { type Business, businessOf, CompanyBusiness } from './company-business.tsx'
import { type Company, ELSEWHERE, FIELDS, Roles } from './company-facts.tsx'
import { CompanyParts } from './company-parts.tsx'
import { ADDRESSES, type Address, Addresses, CONTACTS, type Contact, Contacts } from './company-people.tsx'

/** Whose business companies are. */
const ROLES = ['purchase_order', 'sales_order', 'return_order']
/** The most contacts, and the most addresses, that are shown. */
const MOST = 200

type Shown = { company: Company; contacts: ListPage<Contact>; addresses: ListPage<Address> } & Business

/** `/company/:pk/`: one company. */
export function CompanyPage({ at }: PageProperties) {
  const url = `/api/company/${at.pk}/`
  const { data, refusal, again } = useRead<Shown>({
    company: url,
    contacts: withQuery(CONTACTS, { company: at.pk, etag: true, limit: MOST }),
    addresses: withQuery(ADDRESSES, { company: at.pk, etag: true, limit: MOST }),
    ...businessOf(at.pk),
  })
  const isEditing = useSignal(false)
  const rights = { add: may('add', ...ROLES), change: may('change', ...ROLES), delete: may('delete', ...ROLES) }
  const mayChange = rights.change
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
      <div class="company-page">
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
          {!isEditing.value && <CompanyBusiness company={company} business={data} />}
          {company.notes && (
            <Panel title={label('notes')}>
              <p class="notes">{company.notes}</p>
            </Panel>
          )}
        </div>
        <Contacts company={company.pk} rows={data.contacts.body.results} rights={rights} onChanged={again} />
        <Addresses company={company.pk} rows={data.addresses.body.results} rights={rights} onChanged={again} />
        {may('view', 'part', 'purchase_order') && <CompanyParts company={company} />}
      </div>
    </Page>
  )
}
