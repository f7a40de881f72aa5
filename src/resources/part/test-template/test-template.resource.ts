import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { readBoolean, readKey, unknownReference } from '../../../kit/definition/filter.ts'
import { resource, type Write } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { valueErrors } from '../../../kit/values/value-errors.ts'
import { splitChoices } from '../../parameter/parameter-value.ts'
import { testErrors } from '../../stock/stock-errors.ts'
import { stockItem } from '../../stock/stock-item.table.ts'
import { part } from '../part.table.ts'
import { partErrors } from '../part-errors.ts'
import { ONLY_PARTS } from '../part-flags.ts'
import { toTestKey } from './test-key.ts'
import { hasOtherTest, lockTests, TEST_NAME_TAKEN } from './test-names.ts'
import { testTemplate as table } from './test-template.table.ts'

const nameRule = 'The name of a test is unique within a template and its variants, by its letters and digits.'

const RESULT_COUNT = '(select count(*) {from stock_item_test_result} result where result.template = {pk})'

export const testTemplate = resource({
  path: '/api/part/test-template/',
  name: 'Part test template',
  description: 'A test that the stock of a testable or trackable part, and of its variants, must pass.',
  remarks: { create: nameRule, update: nameRule },
  example: {
    pk: 1,
    create: { part: 24, test_name: 'Loudness', description: 'Sound level at 1 kHz, in dB', requires_value: true },
    replace: { part: 41, test_name: 'Firmware', description: 'Shows its version at the start' },
    change: { requires_attachment: true },
    deletable: 3,
  },
  model: 'parttesttemplate',
  table,
  access: roles('part'),
  fields: {
    pk: f.pk(table.pk),
    key: f.readonly(table.key, {
      filter: true,
      api530: { metadata: { label: 'Test Key' } },
      help: 'The key of its results: the letters and digits of its name in lower case, with an underscore before a leading digit.',
    }),
    part: f.ref(table.part, {
      required: true,
      only: ONLY_PARTS.testable,
      filters: { trackable: true },
      model: 'part',
      apiUrl: '/api/part/',
      help: 'The part whose stock is tested, which must be testable or trackable; the test applies to its variants too.',
    }),
    test_name: f.column(table.test_name, {
      required: true,
      search: true,
      order: true,
      label: 'Test Name',
      help: 'The name of the test.',
    }),
    description: f.column(table.description, {
      search: true,
      label: 'Test Description',
      help: 'A short description of the test.',
    }),
    enabled: f.column(table.enabled, { filter: true, order: true, help: 'Whether the test is enabled.' }),
    required: f.column(table.required, { filter: true, order: true, help: 'Whether stock must pass it.' }),
    requires_value: f.column(table.requires_value, {
      filter: true,
      order: true,
      label: 'Requires Value',
      help: 'Whether a result needs a value.',
    }),
    requires_attachment: f.column(table.requires_attachment, {
      filter: true,
      order: true,
      label: 'Requires Attachment',
      help: 'Whether a result needs a file.',
    }),
    choices: f.column(table.choices, {
      check: (text) => {
        const choices = splitChoices(text)
        return new Set(choices).size < choices.length ? partErrors.duplicate_choice : undefined
      },
      help: 'The allowed values of its results, separated by commas, without duplicates; empty for any.',
    }),
    results: f.computed(Type.Integer(), RESULT_COUNT, { order: true, help: 'The number of results.' }),
  },
  filters: {
    part: {
      kind: 'custom',
      names: {
        part: 'Tests of the part with this key, and of the templates above it.',
        include_inherited: 'Whether to include tests of the templates above; `true` by default.',
      },
      read(query) {
        if (!query.part) return undefined
        const pk = readKey(query.part)
        if (pk === undefined) throw unknownReference('part')
        const sql =
          readBoolean(query.include_inherited ?? '') === false
            ? '{part} = {@value}::integer'
            : '{part} = any(array(select unnest(tested.path) {from part} tested where tested.pk = {@value}::integer))'
        return { name: 'part', table: part, pk, negative: false, ignore: false, condition: { sql, values: [pk] } }
      },
    },
    stock_item: {
      kind: 'reference',
      table: () => stockItem,
      sql: '{part} = any(array(select unnest(tested.path) {from stock_item} item {join part} tested on tested.pk = item.part where item.pk = {@value}))',
      help: 'Tests of the part of the stock item with this key, and of the templates above it.',
    },
    has_results: {
      kind: 'boolean',
      sql: 'exists (select {from stock_item_test_result} result where result.template = {pk})',
      help: 'Whether they have results.',
    },
  },
  defaultOrder: ['test_name'],
  constraints: { part_test_template_part_key_key: { test_name: [TEST_NAME_TAKEN] } },
  rules: checkTest,
})

/** Checks that the key is unique: results of an item are found by the key of their test, whichever part of the tree has it. */
async function checkTest({ tx, before, after, hidden, errors }: Write): Promise<void> {
  if (!after('description')) errors.description = [valueErrors.blank_not_allowed]
  const key = toTestKey(after('test_name') as string)
  if (key === '') errors.test_name = [testErrors.invalid_test_name]
  if ([...key].length > 100) errors.test_name = [testErrors.test_name_too_long]
  if (errors.test_name) return
  hidden.key = key
  if (before && key === before.key && after('part') === before.part) return
  // no concurrent request can create the same one in this tree
  await lockTests(tx, after('part'))
  if (await hasOtherTest(tx, after('part'), key, before?.pk)) errors.test_name = [TEST_NAME_TAKEN]
}

/** A test inside its result. */
export const testTemplateBrief = f.brief(
  () => testTemplate,
  ['pk', 'key', 'part', 'test_name', 'description', 'enabled', 'required', 'requires_value', 'requires_attachment'],
  {},
  ['choices'],
)
