import {
  created,
  flag,
  metadataOf,
  none,
  ok,
  onNew,
  page,
  type Row,
  reference,
  type Scene,
  text,
  withBody,
} from './operations.ts'
import { LabelTemplate, Metadata } from './resources.ts'
import { type Fixture, make } from './test-data.ts'

// The table "Label templates".

/**
 * Fields in addition to the table: the size of a label, in millimeters, from the descriptions since 181, and the errors of its template,
 * which are specific to this service.
 */
const EXTRA_FIELDS = ['width', 'height', 'problems']

/** Creates a body for a label template: its file is stored elsewhere, or is part of the URL. */
const template = async (fields: object = {}) => ({ name: 'A label', label: 'https://files.example/label.html', ...fields })
const PRINTABLE = `data:text/html,${encodeURIComponent('<p>{{ name }}</p>')}`

/** Creates templates that are each found by the property that they are named after. */
const templates =
  (path: string, ...more: ((fixture: Fixture) => Promise<Partial<Scene>>)[]) =>
  async (fixture: Fixture): Promise<Scene> => {
    const mark = make.reference()
    const of = async (fields: object) => fixture.create(path, await template(fields))
    const rows = {
      marked: await of({ description: mark }),
      disabled: await of({ enabled: false }),
    }
    const others = await Promise.all(more.map((one) => one(fixture)))
    return {
      rows: Object.assign(rows, ...others.map(({ rows }) => rows)),
      values: Object.assign({ mark }, ...others.map(({ values }) => values)),
    }
  }

/** Creates a stock item, and a template that matches it alone. */
async function itemLabel(fixture: Fixture): Promise<Partial<Scene>> {
  const item = await make.stockItem(fixture)
  const other = await make.stockItem(fixture)
  const fitting = await fixture.create('/api/label/stock/', await template({ filters: `pk=${item}` }))
  return { rows: { fitting }, values: { item, other } }
}

const search = text(({ mark }) => [[mark, 'marked'], [`${mark} nothing else`]])

/** Returns the operations on a single template. */
function detail(path: string, printed: string): Row[] {
  const setup = onNew(path, () => template())
  const Template = LabelTemplate(printed)
  return [
    {
      operation: `GET, PATCH, PUT, DELETE ${path}{id}/`,
      body: Template,
      answer: ok(Template, EXTRA_FIELDS),
      given: setup,
    },
    {
      operation: `GET, PATCH, PUT ${path}{id}/metadata/`,
      body: Metadata,
      answer: ok(Metadata),
      given: metadataOf(setup),
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
    answer: page(BuildLineLabel, EXTRA_FIELDS),
    scene: templates('/api/label/buildline/'),
  },
  {
    operation: 'POST /api/label/buildline/',
    body: BuildLineLabel,
    answer: created(BuildLineLabel, EXTRA_FIELDS),
    given: withBody(() => template()),
  },
  ...detail('/api/label/buildline/', 'bom_item__reference'),
  {
    operation: 'POST /api/label/part/',
    body: PartLabel,
    answer: created(PartLabel, EXTRA_FIELDS),
    given: withBody(() => template()),
  },
  ...detail('/api/label/part/', 'name'),
  {
    // without a list of parts it is printed once with the sample object, and the response has a file URL (decision 19)
    operation: 'GET, POST /api/label/part/{id}/print/',
    answer: none,
    given: onNew('/api/label/part/', () => template({ label: PRINTABLE })),
  },
  {
    operation: 'GET /api/label/stock/',
    parameters: {
      enabled: flag('marked', 'fitting'),
      search,
      item: reference('item', 'marked', 'disabled', 'fitting'),
      items: reference('other', 'marked', 'disabled'),
    },
    answer: page(StockItemLabel, EXTRA_FIELDS),
    scene: templates('/api/label/stock/', itemLabel),
  },
]
