import * as f from '../../../kit/definition/field.ts'
import { file } from '../../../kit/definition/file.ts'
import { readKey, TRUE_WORDS, unknownReference } from '../../../kit/definition/filter.ts'
import * as input from '../../../kit/definition/input.ts'
import { resource, type Write } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { lockReferred } from '../../../kit/writing/lock-referred.ts'
import { buildOrder } from '../../build/build.table.ts'
import { splitChoices } from '../../parameter/parameter-value.ts'
import { part } from '../../part/part.table.ts'
import { toTestKey } from '../../part/test-template/test-key.ts'
import { testTemplateBrief } from '../../part/test-template/test-template.resource.ts'
import { userBrief } from '../../user/user.resource.ts'
import { testErrors } from '../stock-errors.ts'
import { stockItem } from '../stock-item.table.ts'
import { findOrCreateTest } from './find-or-create-test.ts'
import { stockItemTestResult as table } from './stock-item-test-result.table.ts'

const ERRORS_HELP =
  'Rejects a test of a part other than that of the item or a template above it, a missing value or file if the test requires one, and an end before the start. Only the fields that a request changes are checked.'

/** The item with the key and, with `include_installed`, the items installed in it at any depth. `union` stops at an item that was visited before. */
const INCLUDING_INSTALLED = `{stock_item} in (select pk from (with recursive content (pk) as (
  select {@value}::integer union select item.pk {from stock_item} item join content on item.belongs_to = content.pk
) select pk from content) all_items)`

export const stockItemTestResult = resource({
  path: '/api/stock/test/',
  name: 'Stock item test result',
  description:
    'The result of a test of a stock item. An item can have several results of one test: the newest counts. When an item is split, its results are copied.',
  remarks: {
    create: `Name the test by its template or by its name (\`test\`). If neither the part nor the templates above it have a test of that name, it is created for the part. The caller becomes its \`user\`. ${ERRORS_HELP}`,
    update: ERRORS_HELP,
    delete: 'Deletes its file, unless an item that was split off shares it.',
  },
  example: {
    pk: 1,
    create: { stock_item: 43, test: 'Loudness', result: true, value: '92', notes: 'At 1 m' },
    change: { notes: 'Measured twice' },
    deletable: 2,
  },
  model: 'stockitemtestresult',
  table,
  access: roles('stock'),
  bulkDelete: true,
  fields: {
    pk: f.pk(table.pk),
    stock_item: f.ref(table.stock_item, {
      required: true,
      label: 'Stock item',
      model: 'stockitem',
      apiUrl: '/api/stock/',
      help: 'The tested stock item.',
    }),
    result: f.column(table.result, { filter: true, order: true, help: 'Whether the test passed.' }),
    value: f.column(table.value, { filter: true, search: true, help: 'The measured value; empty for none.' }),
    attachment: file(table.attachment, {
      folder: 'stock_files',
      nullable: false,
      help: 'A file with details of the result.',
    }),
    notes: f.column(table.notes, { search: true, help: 'A note; empty for none.' }),
    test_station: f.column(table.test_station, {
      order: true,
      search: true,
      label: 'Test station',
      help: 'The name of the station or machine that ran the test; empty for none.',
    }),
    started_datetime: f.column(table.started_datetime, {
      order: true,
      label: 'Started',
      help: 'The start of the test; empty if unknown.',
    }),
    finished_datetime: f.column(table.finished_datetime, {
      order: true,
      label: 'Finished',
      help: 'The end of the test, not before its start; empty if unknown.',
    }),
    user: {
      ...f.ref(table.user, {
        readonly: true,
        filter: true,
        model: 'user',
        apiUrl: '/api/user/',
        help: 'The account that recorded it; null if it was deleted.',
      }),
      options: { type: 'field', filters: {} },
    },
    user_detail: f.nested(table.user, userBrief, { flag: { name: 'user_detail' }, help: 'The account.' }),
    date: f.readonly(table.date, { order: true, help: 'When it was recorded.' }),
    template: f.ref(table.template, {
      filter: true,
      label: 'Test template for this result',
      model: 'parttesttemplate',
      apiUrl: '/api/part/test-template/',
      help: 'The test; may be empty if its name is given.',
    }),
    template_detail: f.nested(table.template, () => testTemplateBrief(), {
      flag: { name: 'template_detail' },
      help: 'The test template.',
    }),
    test: f.writeOnly(input.text({ max: 100 }), {
      help: 'The name of the test: letters and digits are compared, case-insensitive.',
    }),
  },
  filters: {
    stock_item: {
      kind: 'custom',
      names: {
        stock_item: 'Results of the stock item with this key; an unknown key has no effect.',
        include_installed: 'Whether results of installed items are included, at any depth.',
      },
      read(query, { config }) {
        const pk = readKey(query.stock_item ?? '')
        if (pk === undefined && query.stock_item && config.wire.rejectsUnknownKeys) throw unknownReference('stock_item')
        if (pk === undefined) return undefined
        const isDeep = TRUE_WORDS.has((query.include_installed ?? '').toLowerCase())
        const sql = isDeep ? INCLUDING_INSTALLED : '{stock_item} = {@value}::integer'
        return { name: 'stock_item', table: stockItem, pk, negative: false, ignore: true, condition: { sql, values: [pk] } }
      },
    },
    part: {
      kind: 'reference',
      table: () => part,
      sql: '{stock_item.part} = {@value}',
      help: 'Results of stock of the part with this key, not of its variants.',
    },
    build: {
      kind: 'reference',
      table: () => buildOrder,
      sql: '{stock_item.build} = {@value}',
      help: 'Results of stock produced by the build order with this key.',
    },
    required: { kind: 'boolean', sql: '{template.required}', help: 'Whether stock must pass their test.' },
    enabled: { kind: 'boolean', sql: '{template.enabled}', help: 'Whether their test is enabled.' },
    test: {
      kind: 'custom',
      names: { test: 'Results of the test with this name: letters and digits are compared, case-insensitive.' },
      read: ({ test = '' }) => ({ sql: '{template.key} = {@value}', values: [toTestKey(test)] }),
    },
  },
  search: ['{template.test_name}'],
  defaultOrder: ['date'],
  locksFirst: lockReferred('stock_item_test_result', 'template', 'part_test_template'),
  rules: checkResult,
})

/** A result inside its stock item. */
export const testResultBrief = f.brief(
  () => stockItemTestResult,
  [
    'pk',
    'stock_item',
    'result',
    'value',
    'attachment',
    'notes',
    'test_station',
    'started_datetime',
    'finished_datetime',
    'user',
    'date',
    'template',
  ],
)

async function checkResult(write: Write): Promise<void> {
  const { tx, before, caller, values, hidden, after, errors } = write
  if (!before) hidden.user = caller.pk
  const { test } = values
  values.test = undefined
  if (!after('template')) {
    if (!test) {
      errors.non_field_errors = [testErrors.test_required]
      return
    }
    const result = await findOrCreateTest(tx, after('stock_item') as number, String(test))
    if ('error' in result) {
      errors.test = [result.error]
      return
    }
    values.template = result.template
  }
  await checkTestBelongsToItem(write)
  if (!errors.template) await checkRequiredFields(write)
  const [started, finished] = [after('started_datetime'), after('finished_datetime')]
  if (started && finished && (values.started_datetime !== undefined || values.finished_datetime !== undefined)) {
    const times = await tx.first<{ wrong: boolean }>('select $1::timestamptz > $2::timestamptz as wrong', [started, finished])
    if (times?.wrong) errors.finished_datetime = [testErrors.test_ends_before_it_begins]
  }
}

/** Checks that a test belongs to the part of the item, or to a template above that. Imported values pass when neither is changed. */
async function checkTestBelongsToItem({ tx, before, after, errors }: Write): Promise<void> {
  const [item, template] = [after('stock_item'), after('template')]
  if (item === before?.stock_item && template === before?.template) return
  const test = await tx.first<{ fits: boolean }>(
    `select test.part = any(part.path) as fits
     from part_test_template test, stock_item item join part on part.pk = item.part
     where test.pk = $1 and item.pk = $2`,
    [template, item],
  )
  if (test && !test.fits) errors.template = [testErrors.test_of_other_part]
}

/** Checks that a value or a file is present if the template requires it. Unchanged fields, such as imported ones, are not checked. */
async function checkRequiredFields({ tx, before, values, after, errors }: Write): Promise<void> {
  if (before && ['template', 'value', 'attachment'].every((name) => values[name] === undefined)) return
  const template = await tx.first<{ requires_value: boolean; requires_attachment: boolean; choices: string }>(
    'select requires_value, requires_attachment, choices from part_test_template where pk = $1 for share',
    [after('template')],
  )
  const choices = splitChoices(template?.choices ?? '')
  if (template?.requires_value && !after('value')) errors.value = [testErrors.test_value_required]
  else if (after('value') && choices.length > 0 && !choices.includes(after('value') as string))
    errors.value = [testErrors.test_value_not_a_choice]
  if (template?.requires_attachment && !after('attachment')) errors.attachment = [testErrors.test_attachment_required]
}
