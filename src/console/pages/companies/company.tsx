import metadata from 'metadata:/api/company/'
import { useSignal } from '@preact/signals'
import { Attachments } from '../../kit/files/attachments.tsx'
import { Confirm } from '../../kit/form/confirm.tsx'
import { Edit } from '../../kit/form/edit.tsx'
import { count, label, number, t } from '../../kit/language/language.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { useActions } from '../../kit/page/actions.tsx'
import { useRead } from '../../kit/page/data.ts'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Notes } from '../../kit/page/notes.tsx'
import { DescriptionList, Page, type PageProperties, Panel } from '../../kit/page/page.tsx'
import { change, type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { remove } from '../../kit/service/saves.ts'
import { may } from '../../kit/service/session.ts'
import { type Business, businessOf, CompanyBusiness, countOrders } from './company-business.tsx'
import { ADDRESSES, type Address, Addresses, CONTACTS, type Contact, Contacts } from './company-contacts.tsx'
import { type Company, FIELDS, Roles, SERVICE_PATHS } from './company-details.tsx'
import { CompanyParts } from './company-parts.tsx'

/** Roles whose permissions apply to companies. */
const ROLES = ['purchase_order', 'sales_order', 'return_order']
/** Maximum number of contacts, and of addresses, that are shown. */
const MAX_ROWS = 200

type PageData = { company: Company; contacts: ListPage<Contact>; addresses: ListPage<Address> } & Business

/** `/company/:pk/`: a company. */
export function CompanyPage({ at }: PageProperties) {
  const url = `/api/company/${at.pk}/`
  const { data, error, reload } = useRead<PageData>({
    company: url,
    contacts: withQuery(CONTACTS, { company: at.pk, etag: true, limit: MAX_ROWS }),
    addresses: withQuery(ADDRESSES, { company: at.pk, etag: true, limit: MAX_ROWS }),
    ...businessOf(at.pk),
  })
  const dialog = useSignal<'edit' | 'notes' | 'delete' | undefined>(undefined)
  const rights = { add: may('add', ...ROLES), change: may('change', ...ROLES), delete: may('delete', ...ROLES) }
  const start = (openDialog: typeof dialog.value) => () => {
    dialog.value = openDialog
  }
  const close = start(undefined)
  const saved = () => {
    close()
    reload()
  }
  const actions = useActions(
    data
      ? [
          rights.change && { title: t('edit'), keys: 'e', icon: 'edit', run: start('edit') },
          rights.change && { title: t('parts.edit-notes'), keys: 'o', icon: 'edit', run: start('notes') },
          rights.delete && { title: t('delete'), keys: 'Shift+D', icon: 'trash', run: start('delete') },
        ]
      : [],
    1,
  )
  const crumbs = [{ text: t('companies.title'), to: '/company/' }]
  if (error) return <LoadError error={error} crumbs={crumbs} />
  if (!data) return null
  const { body: company } = data.company
  const openDialog = dialog.value
  const orders = countOrders(data)
  // a single key press must not lose the supplier of past orders
  const mayRetire = orders > 0 && company.active && rights.change
  return (
    <Page title={company.name} crumbs={crumbs} state={<Roles company={company} />} actions={actions}>
      <div class="company-page">
        <div class="columns">
          <Panel>
            {openDialog === 'edit' ? (
              <Edit
                metadata={metadata}
                url={url}
                start={data.company}
                names={FIELDS}
                without={SERVICE_PATHS}
                onSaved={saved}
                onCancel={close}
              />
            ) : (
              <DescriptionList
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
          {openDialog !== 'edit' && <CompanyBusiness company={company} business={data} />}
          {(company.notes || openDialog === 'notes') && (
            <Panel title={label('notes')}>
              {openDialog === 'notes' ? (
                <Edit
                  metadata={metadata}
                  url={url}
                  start={data.company}
                  names={['notes']}
                  without="rest"
                  onSaved={saved}
                  onCancel={close}
                />
              ) : (
                <Notes text={company.notes} />
              )}
            </Panel>
          )}
        </div>
        <Contacts company={company.pk} rows={data.contacts.body.results} rights={rights} onChanged={reload} />
        <Addresses company={company.pk} rows={data.addresses.body.results} rights={rights} onChanged={reload} />
        {may('view', 'part', 'purchase_order') && <CompanyParts company={company} />}
        <Attachments url="/api/company/attachment/" of={{ company: company.pk }} mayAdd={rights.add} mayDelete={rights.delete} />
      </div>
      {openDialog === 'delete' && mayRetire && (
        <Confirm
          title={t('parts.retire', { name: company.name })}
          button={t('parts.make-inactive')}
          isHarmless
          onConfirm={async () => {
            await change<Company>(url, { active: false }, undefined)
            reload()
          }}
          onClose={close}
        >
          <p>{count('companies.forget', orders)}</p>
          <p>{t('companies.retire-text')}</p>
        </Confirm>
      )}
      {openDialog === 'delete' && !mayRetire && (
        <Confirm
          title={t('rows.delete-ask', { name: company.name })}
          button={t('delete')}
          onConfirm={async () => {
            await remove(url, data.company.etag)
            navigate('/company/', { replace: true })
          }}
          onClose={close}
        >
          <p>{t('companies.delete-text')}</p>
          {orders > 0 && <p>{count('companies.forget', orders)}</p>}
        </Confirm>
      )}
    </Page>
  )
}
