import {
  created,
  flag,
  none,
  ok,
  page,
  type Row,
  reference,
  type TestData,
  text,
  withBody,
  withMetadata,
  withNewObject,
} from './operations.ts'
import { LabelTemplate, Metadata } from './resources.ts'
import { type Fixture, make } from './test-data.ts'

// The table "Label templates".

/**
 * Fields in addition to the table: the size of a label in millimeters, which is in InvenTree's API descriptions since version 181, and the
 * errors of its template, which are specific to this service.
 */
const EXTRA_FIELDS = ['width', 'height', 'filename_pattern', 'problems', 'origin']

/** Builds a body for a label template: its file is stored elsewhere, or is part of the URL. */
const buildTemplate = async (fields: object = {}) => ({ name: 'A label', label: 'https://files.example/label.html', ...fields })
const PRINTABLE = `data:text/html,${encodeURIComponent('<p>{{ name }}</p>')}`

/** Creates templates that are each found by the property that they are named after. */
const createTemplates =
  (path: string, ...more: ((fixture: Fixture) => Promise<Partial<TestData>>)[]) =>
  async (fixture: Fixture): Promise<TestData> => {
    const mark = make.reference()
    const createTemplate = async (fields: object) => fixture.create(path, await buildTemplate(fields))
    const rows = {
      marked: await createTemplate({ description: mark }),
      disabled: await createTemplate({ enabled: false }),
    }
    const others = await Promise.all(more.map((create) => create(fixture)))
    return {
      rows: Object.assign(rows, ...others.map(({ rows }) => rows)),
      values: Object.assign({ mark }, ...others.map(({ values }) => values)),
    }
  }

/** Creates a stock item, and a template that matches it alone. */
async function createItemLabel(fixture: Fixture): Promise<Partial<TestData>> {
  const item = await make.stockItem(fixture)
  const other = await make.stockItem(fixture)
  const fitting = await fixture.create('/api/label/stock/', await buildTemplate({ filters: `pk=${item}` }))
  return { rows: { fitting }, values: { item, other } }
}

const search = text(({ mark }) => [[mark, 'marked'], [`${mark} nothing else`]])

/** Builds the rows of the operations on a single template. */
function buildDetailRows(path: string, printed: string): Row[] {
  const setup = withNewObject(path, () => buildTemplate())
  const Template = LabelTemplate(printed)
  return [
    {
      operation: `GET, PATCH, PUT, DELETE ${path}{id}/`,
      body: Template,
      response: ok(Template, EXTRA_FIELDS),
      setup,
    },
    {
      operation: `GET, PATCH, PUT ${path}{id}/metadata/`,
      body: Metadata,
      response: ok(Metadata),
      setup: withMetadata(setup),
    },
  ]
}

const BuildLineLabel = LabelTemplate('bom_item__reference')
const PartLabel = LabelTemplate('name')
const StockItemLabel = LabelTemplate('batch')

export const labelRows: Row[] = [
  {
    operation: 'GET /api/label/buildline/',
    parameters: { enabled: flag('marked'), search },
    response: page(BuildLineLabel, EXTRA_FIELDS),
    testData: createTemplates('/api/label/buildline/'),
  },
  {
    operation: 'POST /api/label/buildline/',
    body: BuildLineLabel,
    response: created(BuildLineLabel, EXTRA_FIELDS),
    setup: withBody(() => buildTemplate()),
  },
  ...buildDetailRows('/api/label/buildline/', 'bom_item__reference'),
  {
    operation: 'POST /api/label/part/',
    body: PartLabel,
    response: created(PartLabel, EXTRA_FIELDS),
    setup: withBody(() => buildTemplate()),
  },
  ...buildDetailRows('/api/label/part/', 'name'),
  {
    // without a list of parts it is printed once with the sample object, and the response has a URL (docs/decisions.md#printing)
    operation: 'GET, POST /api/label/part/{id}/print/',
    response: none,
    setup: withNewObject('/api/label/part/', () => buildTemplate({ label: PRINTABLE })),
  },
  {
    operation: 'GET /api/label/stock/',
    parameters: {
      enabled: flag('marked', 'fitting'),
      search,
      item: reference('item', 'marked', 'disabled', 'fitting'),
      items: reference('other', 'marked', 'disabled'),
    },
    response: page(StockItemLabel, EXTRA_FIELDS),
    testData: createTemplates('/api/label/stock/', createItemLabel),
  },
]
