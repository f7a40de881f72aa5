import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getTableName } from 'drizzle-orm'
import { resources } from '../resources/index.ts'
import { testService } from '../testing/service.ts'
import { getEventName, getModelName, inventreeTables } from './event-names.ts'

const service = await testService()

describe('the names of events', () => {
  it('exist for every table whose changes are events, and for no other', async () => {
    const rows = await service.rows(
      `select tgrelid::regclass::text as name from pg_trigger where tgname = 'record_events_update'
       union all select kind.value from pg_trigger,
         jsonb_each_text(rtrim(encode(tgargs, 'escape'), E'\\\\000')::jsonb) kind where tgname = 'record_kind_events_update'
       order by 1`,
    )
    assert.deepEqual(
      rows.map(({ name }) => name),
      Object.keys(inventreeTables).toSorted(),
    )
  })

  it('exclude accounts, plugins and derived changes', () => {
    const tablesWithoutEvents = resources.map(({ table }) => getTableName(table)).filter((name) => !(name in inventreeTables))
    assert.deepEqual([...new Set(tablesWithoutEvents)].toSorted(), [
      'api_token',
      'barcode_scan',
      'email_address',
      'error_report',
      'import_column_mapping',
      'import_row',
      'import_session',
      'invitation',
      'news_entry',
      'notification',
      'outgoing_mail',
      'owner',
      'plugin_config',
      'print_job',
      'released_allocation',
      'rule_set',
      'saved_view',
      'security_event',
      'social_account',
      'user_account',
      'user_group',
      'user_session',
    ])
  })

  it('are the names that existing clients know', () => {
    assert.equal(getEventName({ model: 'supplier_part', kind: 'created' }), 'company_supplierpart.created')
    assert.equal(getEventName({ model: 'purchase_order', kind: 'purchaseorder.placed' }), 'purchaseorder.placed')
    assert.equal(getModelName('supplier_part'), 'supplierpart')
  })
})
