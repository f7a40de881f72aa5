import type { Shape } from './fields.ts'
import { created, flag, metadataOf, ok, onNew, page, type Row, reference, type Scene, text, withBody } from './operations.ts'
import { BomReport, Metadata, ReportAsset, ReportTemplate } from './resources.ts'
import { type Fixture, make } from './test-data.ts'

// The table "Report templates and assets".

/** The errors of a template, which are specific to this service. */
const PROBLEMS = ['problems']
/** Further fields since description 181, for templates other than those of bills of materials. */
const PAPER = ['landscape', 'page_size', ...PROBLEMS]

const asset = async () => ({ asset: 'https://files.example/logo.png', description: 'A logo' })
const template = async (fields: object = {}) => ({
  name: 'A report',
  description: 'to try',
  template: 'https://files.example/report.html',
  ...fields,
})
const PRINTABLE = `data:text/html,${encodeURIComponent('<h1>{{ stock_location.name }}</h1>')}`

/** Creates templates that are each found by the property that they are named after; `fitting` matches one part alone. */
const templates =
  (path: string) =>
  async (fixture: Fixture): Promise<Scene> => {
    const mark = make.reference()
    const of = async (fields: object) => fixture.create(path, await template(fields))
    const part = await make.part(fixture)
    return {
      rows: {
        marked: await of({ description: mark }),
        disabled: await of({ enabled: false }),
        ...(path === '/api/report/bom/' ? { fitting: await of({ filters: `pk=${part}` }) } : {}),
      },
      values: { mark, part, otherPart: await make.part(fixture) },
    }
  }

const search = text(({ mark }) => [[mark, 'marked'], [`${mark} nothing else`]])

const onTemplate = (path: string) => onNew(path, () => template())

const create = (path: string, shape: Shape, extraFields?: readonly string[]): Row => ({
  operation: `POST ${path}`,
  body: shape,
  answer: created(shape, extraFields),
  given: withBody(() => template()),
})

const metadata = (path: string): Row => ({
  operation: `GET, PATCH, PUT ${path}{id}/metadata/`,
  body: Metadata,
  answer: ok(Metadata),
  given: metadataOf(onTemplate(path)),
})

const PurchaseOrderReport = ReportTemplate('reference')
const StockLocationReport = ReportTemplate('name')
const SalesOrderReport = ReportTemplate('reference')

export const reportRows: Row[] = [
  {
    operation: 'GET /api/report/asset/',
    answer: page(ReportAsset),
    given: onNew('/api/report/asset/', asset),
  },
  { operation: 'POST /api/report/asset/', body: ReportAsset, answer: created(ReportAsset), given: withBody(asset) },
  {
    operation: 'GET, PATCH, PUT, DELETE /api/report/asset/{id}/',
    body: ReportAsset,
    answer: ok(ReportAsset),
    given: onNew('/api/report/asset/', asset),
  },
  {
    operation: 'GET /api/report/bom/',
    parameters: {
      enabled: flag('marked', 'fitting'),
      search,
      part: reference('part', 'marked', 'disabled', 'fitting'),
    },
    answer: page(BomReport, PROBLEMS),
    scene: templates('/api/report/bom/'),
  },
  create('/api/report/bom/', BomReport, PROBLEMS),
  {
    operation: 'GET, PATCH, PUT, DELETE /api/report/bom/{id}/',
    body: BomReport,
    answer: ok(BomReport, PROBLEMS),
    given: onTemplate('/api/report/bom/'),
  },
  // the heading of this row is cut off
  create('/api/report/po/', PurchaseOrderReport, PAPER),
  {
    operation: 'GET, PATCH, PUT, DELETE /api/report/po/{id}/',
    body: PurchaseOrderReport,
    answer: ok(PurchaseOrderReport, PAPER),
    given: onTemplate('/api/report/po/'),
  },
  metadata('/api/report/po/'),
  {
    // the path of DELETE is cut off
    operation: 'GET, PATCH, PUT, DELETE /api/report/slr/{id}/',
    body: StockLocationReport,
    answer: ok(StockLocationReport, PAPER),
    given: onTemplate('/api/report/slr/'),
  },
  metadata('/api/report/slr/'),
  {
    // the file is added to the template's own fields (the table WIRE_FORM)
    operation: 'GET /api/report/slr/{id}/print/',
    answer: ok(StockLocationReport, [...PAPER, 'file']),
    given: onNew('/api/report/slr/', () => template({ template: PRINTABLE })),
  },
  {
    operation: 'GET /api/report/so/',
    parameters: { enabled: flag('marked'), search },
    answer: page(SalesOrderReport, PAPER),
    scene: templates('/api/report/so/'),
  },
  // accepted; the response is not specified, and is that of GET (decision 8)
  create('/api/report/so/', SalesOrderReport, PAPER),
]
