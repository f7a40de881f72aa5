import { setObjectKind } from './object-kinds.ts'
import type { TemplateObject } from './objects.ts'
import { type Kind, kindAt } from './render-context.ts'

/** Sample objects for trying templates: they are labeled as samples, and their key 0 belongs to no object. */

type Values = Record<string, unknown>

/** Creates an object with every field of a type, empty or zero by its type, and with the given values. */
function sample(path: string, values: Values): TemplateObject {
  const kind = kindAt(path) as Kind
  return setObjectKind({ ...kind.empty, pk: 0, ...values }, kind)
}

const category = () => sample('/api/part/category/', { name: 'Sample category', pathstring: 'Samples/Sample category' })

const part = (values: Values = {}) =>
  sample('/api/part/', {
    name: 'Sample part',
    full_name: 'SAMPLE-1 | Sample part | B',
    IPN: 'SAMPLE-1',
    revision: 'B',
    description: 'Sample part for previews',
    category: category(),
    active: true,
    component: true,
    ...values,
  })

const capacitor = () =>
  part({
    name: 'Second sample part',
    full_name: 'SAMPLE-2 | Second sample part',
    IPN: 'SAMPLE-2',
    revision: '',
    description: 'A sample of another part',
    category: sample('/api/part/category/', { name: 'Other samples', pathstring: 'Samples/Other samples' }),
  })

const location = (values: Values = {}) =>
  sample('/api/stock/location/', {
    name: 'Sample location',
    description: 'Sample location for previews',
    pathstring: 'Samples/Sample location',
    ...values,
  })

const stockItem = (values: Values = {}) =>
  sample('/api/stock/', {
    quantity: 2500,
    batch: '2418A',
    status: 10,
    status_text: 'OK',
    part: part(),
    location: location(),
    ...values,
  })

const supplier = () =>
  sample('/api/company/', { name: 'Sample supplier', description: 'A sample supplier', currency: 'EUR', is_supplier: true })

const address = () => ({
  pk: 1,
  title: 'Head office',
  line1: '12 Example Street',
  line2: '',
  postal_code: '10115',
  postal_city: 'Berlin',
  province: '',
  country: 'Germany',
})

const soldPart = (SKU: string, of: TemplateObject) => sample('/api/company/part/', { SKU, pack_quantity: '100', part: of })

const orderValues = (reference: string): Values => ({
  pk: 0,
  reference,
  description: 'Parts for the next series',
  creation_date: '2026-03-02',
  issue_date: '2026-03-03',
  target_date: '2026-03-20',
  status: 20,
  status_text: 'Placed',
  order_currency: 'EUR',
  total_price: '187.250000',
  notes: 'Please send a **single** parcel.',
  responsible: { pk: 1, name: 'Purchasing' },
  contact: { pk: 1, name: 'Robin Example', phone: '+49 30 1234567', email: 'robin@example.com' },
  address: address(),
})

const extraLine = () =>
  sample('/api/order/po-extra-line/', { reference: 'Carriage', quantity: 1, price: '12.500000', price_currency: 'EUR' })

function purchaseOrderSample(): TemplateObject {
  const line = (SKU: string, of: TemplateObject, quantity: number, price: string, total: number) =>
    sample('/api/order/po-line/', {
      quantity,
      part: soldPart(SKU, of),
      purchase_price: price,
      purchase_price_currency: 'EUR',
      total_price: total,
      target_date: '2026-03-20',
    })
  return sample('/api/order/po/', {
    ...orderValues('PO-SAMPLE'),
    supplier: supplier(),
    supplier_reference: 'SAMPLE',
    lines: [line('SAMPLE-SKU-1', part(), 10, '4.250000', 42.5), line('SAMPLE-SKU-2', capacitor(), 25, '5.290000', 132.25)],
    extra_lines: [extraLine()],
  })
}

const customer = () => sample('/api/company/', { name: 'Sample customer', currency: 'EUR', is_customer: true })

const customerValues = (reference: string, total: string): Values => ({
  ...orderValues(reference),
  total_price: total,
  customer: customer(),
  customer_reference: 'Your order 4711',
})

const salesOrderSample = (): TemplateObject =>
  sample('/api/order/so/', {
    ...customerValues('SO-SAMPLE', '459.500000'),
    lines: [
      sample('/api/order/so-line/', {
        part: assemblyPart(),
        quantity: 3,
        target_date: '2026-03-20',
        sale_price: '149.000000',
        sale_price_currency: 'EUR',
      }),
    ],
    extra_lines: [extraLine()],
  })

const returnOrderSample = (): TemplateObject => ({
  ...(customerValues('RMA-SAMPLE', '12.500000') as TemplateObject),
  lines: [
    {
      pk: 1,
      item: stockItem({ serial: '1007', quantity: 1, part: assemblyPart() }),
      quantity: 1,
      target_date: '2026-03-20',
      outcome_text: 'Repair',
    },
  ],
  extra_lines: [extraLine()],
})

const assemblyPart = () =>
  part({
    category: sample('/api/part/category/', { name: 'Sample assemblies', pathstring: 'Samples/Sample assemblies' }),
    name: 'Sample assembly',
    full_name: 'SAMPLE-A | Sample assembly',
    IPN: 'SAMPLE-A',
    revision: '',
    description: 'A sample assembly',
    assembly: true,
  })

const bomItems = () => [
  sample('/api/bom/', { pk: 1, quantity: 4, reference: 'R1, R2, R3, R4', sub_part: part() }),
  sample('/api/bom/', { pk: 2, quantity: 2, reference: 'C1, C2', note: 'Close to the supply pins', sub_part: capacitor() }),
]

const buildOrder = (): TemplateObject =>
  sample('/api/build/', {
    reference: 'BO-SAMPLE',
    title: 'Sample build',
    quantity: 10,
    status: 20,
    status_text: 'Production',
    creation_date: '2026-03-02',
    target_date: '2026-04-01',
    part: assemblyPart(),
    part_detail: assemblyPart(),
    responsible: { pk: 1, name: 'Workshop' },
    bom_items: bomItems(),
    line_items: bomItems().map((item) => buildLine(item)),
    build_outputs: [],
    allocations: [],
    sub_builds: [],
  })

const buildLine = (item: TemplateObject, values: Values = {}): TemplateObject =>
  sample('/api/build/line/', {
    pk: item.pk,
    quantity: Number(item.quantity) * 10,
    bom_item: item,
    bom_item_detail: item,
    part_detail: item.sub_part,
    allocations: [],
    ...values,
  })

const buildLineSample = (): TemplateObject =>
  buildLine(bomItems()[0] as TemplateObject, {
    pk: 3,
    allocated: 40,
    build: buildOrder(),
    allocations: [sample('/api/build/item/', { pk: 1, quantity: 40, stock_item: stockItem() })],
  })

function testedItemSample(): TemplateObject {
  const test = (values: Values) => sample('/api/part/test-template/', { enabled: true, ...values })
  const current = test({ key: 'supplycurrent', test_name: 'Supply current', description: 'At 12 V', required: true })
  const appearance = test({ key: 'appearance', test_name: 'Appearance', required: true })
  const result = (of: TemplateObject, value: string) =>
    sample('/api/stock/test/', {
      template_detail: of,
      result: true,
      value,
      date: '2026-03-04T10:15:00Z',
      user_detail: { pk: 0, username: 'robin' },
    })
  const results = [result(current, '48 mA'), result(appearance, '')]
  const tested = { ...assemblyPart(), test_templates: [current, appearance] }
  return stockItem({
    serial: '1007',
    quantity: 1,
    part: tested,
    test_results: results,
    all_test_results: results,
    all_installed_items: [],
  })
}

export const sampleObjects = {
  part,
  stockItem,
  location: () =>
    location({
      stock_items: [
        stockItem(),
        stockItem({
          quantity: 400,
          batch: '',
          part: capacitor(),
        }),
      ],
    }),
  buildLine: buildLineSample,
  purchaseOrder: purchaseOrderSample,
  salesOrder: salesOrderSample,
  returnOrder: returnOrderSample,
  assembly: () => ({ ...assemblyPart(), bom_items: bomItems() }),
  build: buildOrder,
  testedItem: testedItemSample,
} satisfies Record<string, (values?: Values) => TemplateObject>
