import { setObjectKind } from './object-kinds.ts'
import type { TemplateObject } from './objects.ts'
import { findKind, type ObjectKind } from './render-context.ts'

/** Sample objects for trying templates: they are labeled as samples, and their key 0 belongs to no object. */

type Values = Record<string, unknown>

/** Creates an object with every field of a type, empty or zero by its type, and with the given values. */
function createSample(path: string, values: Values): TemplateObject {
  const kind = findKind(path) as ObjectKind
  return setObjectKind({ ...kind.empty, pk: 0, ...values }, kind)
}

const createCategory = () =>
  createSample('/api/part/category/', { name: 'Sample category', pathstring: 'Samples/Sample category' })

const createPart = (values: Values = {}) =>
  createSample('/api/part/', {
    name: 'Sample part',
    full_name: 'SAMPLE-1 | Sample part | B',
    IPN: 'SAMPLE-1',
    revision: 'B',
    description: 'Sample part for previews',
    category: createCategory(),
    active: true,
    component: true,
    ...values,
  })

const createSecondPart = () =>
  createPart({
    name: 'Second sample part',
    full_name: 'SAMPLE-2 | Second sample part',
    IPN: 'SAMPLE-2',
    revision: '',
    description: 'A sample of another part',
    category: createSample('/api/part/category/', { name: 'Other samples', pathstring: 'Samples/Other samples' }),
  })

const createLocation = (values: Values = {}) =>
  createSample('/api/stock/location/', {
    name: 'Sample location',
    description: 'Sample location for previews',
    pathstring: 'Samples/Sample location',
    ...values,
  })

const createStockItem = (values: Values = {}) =>
  createSample('/api/stock/', {
    quantity: 2500,
    batch: '2418A',
    status: 10,
    status_text: 'OK',
    part: createPart(),
    location: createLocation(),
    ...values,
  })

const createSupplier = () =>
  createSample('/api/company/', { name: 'Sample supplier', description: 'A sample supplier', currency: 'EUR', is_supplier: true })

const createAddress = () => ({
  pk: 1,
  title: 'Head office',
  line1: '12 Example Street',
  line2: '',
  postal_code: '10115',
  postal_city: 'Berlin',
  province: '',
  country: 'Germany',
})

const createSupplierPart = (SKU: string, object: TemplateObject) =>
  createSample('/api/company/part/', { SKU, pack_quantity: '100', part: object })

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
  address: createAddress(),
})

const createExtraLine = (kind: 'po' | 'so' | 'ro') =>
  createSample(`/api/order/${kind}-extra-line/`, {
    reference: 'Carriage',
    quantity: 1,
    price: '12.500000',
    price_currency: 'EUR',
    discount: 0,
  })

function purchaseOrderSample(): TemplateObject {
  const line = (SKU: string, object: TemplateObject, quantity: number, price: string, total: number) =>
    createSample('/api/order/po-line/', {
      quantity,
      part: createSupplierPart(SKU, object),
      purchase_price: price,
      purchase_price_currency: 'EUR',
      total_price: total,
      target_date: '2026-03-20',
    })
  return createSample('/api/order/po/', {
    ...orderValues('PO-SAMPLE'),
    supplier: createSupplier(),
    supplier_reference: 'SAMPLE',
    lines: [
      line('SAMPLE-SKU-1', createPart(), 10, '4.250000', 42.5),
      line('SAMPLE-SKU-2', createSecondPart(), 25, '5.290000', 132.25),
    ],
    extra_lines: [createExtraLine('po')],
  })
}

const createCustomer = () => createSample('/api/company/', { name: 'Sample customer', currency: 'EUR', is_customer: true })

const customerValues = (reference: string, total: string): Values => ({
  ...orderValues(reference),
  total_price: total,
  customer: createCustomer(),
  customer_reference: 'Your order 4711',
})

const salesOrderSample = (): TemplateObject =>
  createSample('/api/order/so/', {
    ...customerValues('SO-SAMPLE', '459.500000'),
    lines: [
      createSample('/api/order/so-line/', {
        part: createAssemblyPart(),
        quantity: 3,
        target_date: '2026-03-20',
        sale_price: '149.000000',
        sale_price_currency: 'EUR',
      }),
    ],
    extra_lines: [createExtraLine('so')],
  })

const shipmentSample = (): TemplateObject => {
  const order = salesOrderSample()
  const line = (order.lines as TemplateObject[])[0] as TemplateObject
  const item = createStockItem({ serial: '1007', quantity: 1, part: createAssemblyPart() })
  return createSample('/api/order/so/shipment/', {
    reference: '1',
    tracking_number: '00340434161096',
    order,
    allocations: [createSample('/api/order/so-allocation/', { quantity: 1, line, item, part: item.part })],
  })
}

const returnOrderSample = (): TemplateObject => ({
  ...(customerValues('RMA-SAMPLE', '12.500000') as TemplateObject),
  lines: [
    {
      pk: 1,
      item: createStockItem({ serial: '1007', quantity: 1, part: createAssemblyPart() }),
      quantity: 1,
      target_date: '2026-03-20',
      outcome: 30,
      outcome_text: 'Repair',
    },
  ],
  extra_lines: [createExtraLine('ro')],
})

const transferOrderSample = (): TemplateObject => {
  const line = (object: TemplateObject, quantity: number) =>
    createSample('/api/order/transfer-order-line/', { part: object, quantity, allocated: quantity, target_date: '2026-03-20' })
  const allocation = (object: TemplateObject, quantity: number) =>
    createSample('/api/order/transfer-order-allocation/', {
      quantity,
      line: line(object, quantity),
      item: createStockItem({ part: object }),
      part: object,
      location: createLocation(),
    })
  return createSample('/api/order/transfer-order/', {
    reference: 'TO-SAMPLE',
    description: 'Parts for the second workshop',
    creation_date: '2026-03-02',
    issue_date: '2026-03-03',
    target_date: '2026-03-20',
    status: 20,
    status_text: 'Issued',
    take_from: createLocation(),
    destination: createLocation({ name: 'Second sample location', pathstring: 'Samples/Second sample location' }),
    responsible: { pk: 1, name: 'Stores' },
    lines: [line(createPart(), 10), line(createSecondPart(), 25)],
    allocations: [allocation(createPart(), 10), allocation(createSecondPart(), 25)],
  })
}

const createAssemblyPart = () =>
  createPart({
    category: createSample('/api/part/category/', { name: 'Sample assemblies', pathstring: 'Samples/Sample assemblies' }),
    name: 'Sample assembly',
    full_name: 'SAMPLE-A | Sample assembly',
    IPN: 'SAMPLE-A',
    revision: '',
    description: 'A sample assembly',
    assembly: true,
  })

const createBomItems = () => [
  createSample('/api/bom/', { pk: 1, quantity: 4, reference: 'R1, R2, R3, R4', sub_part: createPart() }),
  createSample('/api/bom/', {
    pk: 2,
    quantity: 2,
    reference: 'C1, C2',
    note: 'Close to the supply pins',
    sub_part: createSecondPart(),
  }),
]

const createBuildOrder = (): TemplateObject =>
  createSample('/api/build/', {
    reference: 'BO-SAMPLE',
    title: 'Sample build',
    quantity: 10,
    status: 20,
    status_text: 'Production',
    creation_date: '2026-03-02',
    target_date: '2026-04-01',
    part: createAssemblyPart(),
    part_detail: createAssemblyPart(),
    responsible: { pk: 1, name: 'Workshop' },
    bom_items: createBomItems(),
    line_items: createBomItems().map((item) => createBuildLine(item)),
    build_outputs: [],
    allocations: [],
    sub_builds: [],
  })

const createBuildLine = (item: TemplateObject, values: Values = {}): TemplateObject =>
  createSample('/api/build/line/', {
    pk: item.pk,
    quantity: Number(item.quantity) * 10,
    bom_item: item,
    bom_item_detail: item,
    part_detail: item.sub_part,
    allocations: [],
    ...values,
  })

const buildLineSample = (): TemplateObject =>
  createBuildLine(createBomItems()[0] as TemplateObject, {
    pk: 3,
    allocated: 40,
    build: createBuildOrder(),
    allocations: [createSample('/api/build/item/', { pk: 1, quantity: 40, stock_item: createStockItem() })],
  })

function testedItemSample(): TemplateObject {
  const test = (values: Values) => createSample('/api/part/test-template/', { enabled: true, ...values })
  const current = test({ key: 'supplycurrent', test_name: 'Supply current', description: 'At 12 V', required: true })
  const appearance = test({ key: 'appearance', test_name: 'Appearance', required: true })
  const result = (object: TemplateObject, value: string) =>
    createSample('/api/stock/test/', {
      template_detail: object,
      result: true,
      value,
      date: '2026-03-04T10:15:00Z',
      user_detail: { pk: 0, username: 'robin' },
    })
  const results = [result(current, '48 mA'), result(appearance, '')]
  const testedPart = { ...createAssemblyPart(), test_templates: [current, appearance] }
  return createStockItem({
    serial: '1007',
    quantity: 1,
    part: testedPart,
    test_results: results,
    all_test_results: results,
    all_installed_items: [],
    child_items: [],
  })
}

export const sampleObjects = {
  part: () => createPart({ bom_items: [], test_templates: [] }),
  stockItem: () => createStockItem({ test_results: [], all_installed_items: [], child_items: [] }),
  location: () =>
    createLocation({
      stock_items: [
        createStockItem(),
        createStockItem({
          quantity: 400,
          batch: '',
          part: createSecondPart(),
        }),
      ],
    }),
  buildLine: buildLineSample,
  purchaseOrder: purchaseOrderSample,
  salesOrder: salesOrderSample,
  returnOrder: returnOrderSample,
  transferOrder: transferOrderSample,
  shipment: shipmentSample,
  company: () => ({ ...createSupplier(), addresses: [createAddress()], contacts: [] }),
  assembly: () => ({ ...createAssemblyPart(), bom_items: createBomItems(), test_templates: [] }),
  build: createBuildOrder,
  testedItem: testedItemSample,
} satisfies Record<string, (values?: Values) => TemplateObject>
