import metadata from 'metadata:/api/company/'
import { useSignal } from '@preact/signals'
import { Attachments } from '../../kit/files/attachments.tsx'
import { Confirm } from '../../kit/form/confirm.tsx'
import { Edit } from '../../kit/form/edit.tsx'
import { count, formatNumber, label, t } from '../../kit/language/language.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { useActions } from '../../kit/page/actions.tsx'
import { useRead } from '../../kit/page/data.ts'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Notes } from '../../kit/page/notes.tsx'
import { DescriptionList, Page, type PageProperties, Panel } from '../../kit/page/page.tsx'
import { change, type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { remove } from '../../kit/service/saves.ts'
import { hasPermission } from '../../kit/service/session.ts'
import { createImportAction } from '../import/import-menu.tsx'
import { type Business, CompanyBusiness, countOrders, getBusinessUrls } from './company-business.tsx'
import { ADDRESSES_PATH, type Address, Addresses, CONTACTS_PATH, type Contact, Contacts } from './company-contacts.tsx'
import { type Company, EXCLUDED_FIELDS, FORM_FIELDS, Roles } from './company-details.tsx'
import { CompanyParts } from './company-parts.tsx'

/** Roles whose permissions apply to companies. */
const ROLES = ['purchase_order', 'sales_order', 'return_order']
/** Maximum number of contacts, and of addresses, that are shown. */
const MAX_ROWS = 200

type PageData = { company: Company; contacts: ListPage<Contact>; addresses: ListPage<Address> } & Business

/** `/company/:pk/`: a company. */
export function CompanyPage({ params }: PageProperties) {
  const url = `/api/company/${params.pk}/`
  const { data, error, reload } = useRead<PageData>({
    company: withQuery(url, { tags: true }),
    contacts: withQuery(CONTACTS_PATH, { company: params.pk, etag: true, limit: MAX_ROWS }),
    addresses: withQuery(ADDRESSES_PATH, { company: params.pk, etag: true, limit: MAX_ROWS }),
    ...getBusinessUrls(params.pk),
  })
  const dialog = useSignal<'edit' | 'notes' | 'delete' | undefined>(undefined)
  const rights = {
    add: hasPermission('add', ...ROLES),
    change: hasPermission('change', ...ROLES),
    delete: hasPermission('delete', ...ROLES),
  }
  const show = (openDialog: typeof dialog.value) => () => {
    dialog.value = openDialog
  }
  const close = show(undefined)
  const closeAndReload = () => {
    close()
    reload()
  }
  const actions = useActions(
    data
      ? [
          rights.change && { title: t('edit'), keys: 'e', icon: 'edit', run: show('edit') },
          rights.change && { title: t('parts.edit-notes'), keys: 'o', icon: 'edit', run: show('notes') },
          data.company.body.is_supplier && createImportAction('supplierpart', { supplier: params.pk ?? '' }),
          rights.delete && { title: t('delete'), keys: 'Shift+D', icon: 'trash', run: show('delete') },
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
  // a single key press must not remove the supplier from past orders
  const canDeactivate = orders > 0 && company.active && rights.change
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
                names={FORM_FIELDS}
                without={EXCLUDED_FIELDS}
                onSaved={closeAndReload}
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
                  [label('parts_supplied'), company.is_supplier && formatNumber(company.parts_supplied)],
                  [label('parts_manufactured'), company.is_manufacturer && formatNumber(company.parts_manufactured)],
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
                  onSaved={closeAndReload}
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
        {hasPermission('view', 'part', 'purchase_order') && <CompanyParts company={company} />}
        <Attachments model="company" pk={company.pk} canAdd={rights.add} canDelete={rights.delete} />
      </div>
      {openDialog === 'delete' && canDeactivate && (
        <Confirm
          title={t('parts.deactivate-ask', { name: company.name })}
          button={t('parts.make-inactive')}
          isHarmless
          onConfirm={async () => {
            await change<Company>(url, { active: false }, undefined)
            reload()
          }}
          onClose={close}
        >
          <p>{count('companies.delete-orders', orders)}</p>
          <p>{t('companies.deactivate-text')}</p>
        </Confirm>
      )}
      {openDialog === 'delete' && !canDeactivate && (
        <Confirm
          title={t('rows.delete-confirm', { name: company.name })}
          button={t('delete')}
          onConfirm={async () => {
            await remove(url, data.company.etag)
            navigate('/company/', { replace: true })
          }}
          onClose={close}
        >
          <p>{t('companies.delete-text')}</p>
          {orders > 0 && <p>{count('companies.delete-orders', orders)}</p>}
        </Confirm>
      )}
    </Page>
  )
}
