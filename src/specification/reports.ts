import type { Shape } from './fields.ts'
import {
  created,
  flag,
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
import { BomReport, Metadata, ReportAsset, ReportTemplate } from './resources.ts'
import { type Fixture, make } from './test-data.ts'

// The table "Report templates and assets".

/** Fields of this service: the name of the printed file, the errors of a template, and whether it comes with the service. */
const OWN_FIELDS = ['filename_pattern', 'problems', 'origin']
/** Further fields in InvenTree's API descriptions since version 181, for templates other than those of BOM reports. */
const PAPER = ['landscape', 'page_size', ...OWN_FIELDS]

/** The name of an asset in templates. */
const FILENAME = ['filename']

const buildAsset = async () => ({ asset: 'https://files.example/logo.png', description: 'A logo' })
const buildTemplate = async (fields: object = {}) => ({
  name: 'A report',
  description: 'to try',
  template: 'https://files.example/report.html',
  ...fields,
})
const PRINTABLE = `data:text/html,${encodeURIComponent('<h1>{{ stock_location.name }}</h1>')}`

/** Creates templates that are each found by the property that they are named after; `fitting` matches one part alone. */
const createTemplates =
  (path: string) =>
  async (fixture: Fixture): Promise<TestData> => {
    const mark = make.reference()
    const createTemplate = async (fields: object) => fixture.create(path, await buildTemplate(fields))
    const part = await make.part(fixture)
    return {
      rows: {
        marked: await createTemplate({ description: mark }),
        disabled: await createTemplate({ enabled: false }),
        ...(path === '/api/report/bom/' ? { fitting: await createTemplate({ filters: `pk=${part}` }) } : {}),
      },
      values: { mark, part, otherPart: await make.part(fixture) },
    }
  }

const search = text(({ mark }) => [[mark, 'marked'], [`${mark} nothing else`]])

const withNewTemplate = (path: string) => withNewObject(path, () => buildTemplate())

const buildCreateRow = (path: string, shape: Shape, extraFields?: readonly string[]): Row => ({
  operation: `POST ${path}`,
  body: shape,
  response: created(shape, extraFields),
  setup: withBody(() => buildTemplate()),
})

const buildMetadataRow = (path: string): Row => ({
  operation: `GET, PATCH, PUT ${path}{id}/metadata/`,
  body: Metadata,
  response: ok(Metadata),
  setup: withMetadata(withNewTemplate(path)),
})

const PurchaseOrderReport = ReportTemplate('reference')
const StockLocationReport = ReportTemplate('name')
const SalesOrderReport = ReportTemplate('reference')

export const reportRows: Row[] = [
  {
    operation: 'GET /api/report/asset/',
    response: page(ReportAsset, FILENAME),
    setup: withNewObject('/api/report/asset/', buildAsset),
  },
  {
    operation: 'POST /api/report/asset/',
    body: ReportAsset,
    response: created(ReportAsset, FILENAME),
    setup: withBody(buildAsset),
  },
  {
    operation: 'GET, PATCH, PUT, DELETE /api/report/asset/{id}/',
    body: ReportAsset,
    response: ok(ReportAsset, FILENAME),
    setup: withNewObject('/api/report/asset/', buildAsset),
  },
  {
    operation: 'GET /api/report/bom/',
    parameters: {
      enabled: flag('marked', 'fitting'),
      search,
      part: reference('part', 'marked', 'disabled', 'fitting'),
    },
    response: page(BomReport, OWN_FIELDS),
    testData: createTemplates('/api/report/bom/'),
  },
  buildCreateRow('/api/report/bom/', BomReport, OWN_FIELDS),
  {
    operation: 'GET, PATCH, PUT, DELETE /api/report/bom/{id}/',
    body: BomReport,
    response: ok(BomReport, OWN_FIELDS),
    setup: withNewTemplate('/api/report/bom/'),
  },
  // the heading of this row is cut off in the specification
  buildCreateRow('/api/report/po/', PurchaseOrderReport, PAPER),
  {
    operation: 'GET, PATCH, PUT, DELETE /api/report/po/{id}/',
    body: PurchaseOrderReport,
    response: ok(PurchaseOrderReport, PAPER),
    setup: withNewTemplate('/api/report/po/'),
  },
  buildMetadataRow('/api/report/po/'),
  {
    // the path of DELETE is cut off in the specification
    operation: 'GET, PATCH, PUT, DELETE /api/report/slr/{id}/',
    body: StockLocationReport,
    response: ok(StockLocationReport, PAPER),
    setup: withNewTemplate('/api/report/slr/'),
  },
  buildMetadataRow('/api/report/slr/'),
  {
    // the file is added to the template's own fields (docs/configuration.md#wire-form)
    operation: 'GET /api/report/slr/{id}/print/',
    response: ok(StockLocationReport, [...PAPER, 'file']),
    setup: withNewObject('/api/report/slr/', () => buildTemplate({ template: PRINTABLE })),
  },
  {
    operation: 'GET /api/report/so/',
    parameters: { enabled: flag('marked'), search },
    response: page(SalesOrderReport, PAPER),
    testData: createTemplates('/api/report/so/'),
  },
  // accepted; the response is not specified, and is that of GET (docs/decisions.md#responses-of-writes)
  buildCreateRow('/api/report/so/', SalesOrderReport, PAPER),
]
