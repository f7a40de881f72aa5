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
import { Metadata, PurchaseOrder, PurchaseOrderExtraLine, PurchaseOrderLineItem } from './resources.ts'
import { type Fixture, make } from './test-data.ts'

// The table "Purchase orders".

const buildOrder = async (fixture: Fixture) => ({ reference: make.reference(), supplier: await make.supplier(fixture) })
const buildLine = async (fixture: Fixture) => ({ order: await make.order(fixture), quantity: 1 })
const withNewOrder = withNewObject('/api/order/po/', buildOrder)
const withNewLine = withNewObject('/api/order/po-line/', buildLine)
const withNewExtraLine = withNewObject('/api/order/po-extra-line/', buildLine)

const STATUS = { pending: 10, placed: 20, complete: 30 }
const LONG_AGO = '2001-01-31'

/** Creates orders that are each found by the property that they are named after. */
async function createOrders(fixture: Fixture): Promise<TestData> {
  const createRow = async (fields: object = {}, status = STATUS.pending) => {
    const pk = await fixture.create('/api/order/po/', { ...(await buildOrder(fixture)), ...fields })
    await fixture.service.rows('update purchase_order set status = $2 where pk = $1', [pk, status])
    return pk
  }
  const projectCode = await make.projectCode(fixture)
  const { results: owners } = (
    await fixture.service.anonymous.get(`/api/user/owner/?search=${fixture.member.username}`, fixture.superuser.token)
  ).body
  const [memberOwner] = owners.filter(
    ({ label, name }: Record<string, string>) => label === 'user' && name === fixture.member.username,
  )
  const supplier = await make.supplier(fixture)
  const marked = make.reference()
  return {
    rows: {
      mine: await createRow({ responsible: memberOwner.pk, description: `${marked} one of two` }),
      coded: await createRow({ project_code: projectCode }),
      placed: await createRow({}, STATUS.placed),
      late: await createRow({ target_date: LONG_AGO }),
      complete: await createRow({ target_date: LONG_AGO }, STATUS.complete),
      bought: await createRow({ supplier }),
      // its reference sorts between those of the others only when sorting by reference
      marked: await createRow({ reference: marked }),
    },
    values: { projectCode, supplier, placed: STATUS.placed, marked },
  }
}

async function createExtraLines(fixture: Fixture): Promise<TestData> {
  const createRow = async (fields: object) =>
    fixture.create('/api/order/po-extra-line/', { ...(await buildLine(fixture)), ...fields })
  const ordered = await make.order(fixture)
  const mark = make.reference()
  return {
    rows: {
      ordered: await createRow({ order: ordered, reference: 'b', quantity: 1 }),
      marked: await createRow({ reference: 'c', quantity: 2, description: mark }),
      other: await createRow({ reference: 'a', quantity: 3 }),
    },
    values: { ordered, mark },
  }
}

export const purchaseOrderRows: Row[] = [
  {
    operation: 'GET /api/order/po/',
    parameters: {
      assigned_to_me: flag('mine'),
      has_project_code: flag('coded'),
      outstanding: flag('mine', 'coded', 'placed', 'late', 'bought', 'marked'),
      overdue: flag('late'),
      project_code: reference('projectCode', 'coded'),
      // exact reference match
      reference: text(({ marked }) => [[marked, 'marked'], [marked.toLowerCase()], [marked.slice(0, -1)]]),
      status: reference('placed', 'placed'),
      supplier: reference('supplier', 'bought'),
      search: text(({ marked }) => [[marked, 'mine', 'marked'], [`${marked} two`, 'mine'], [`${marked} three`]]),
    },
    ordering: ['reference'],
    response: page(PurchaseOrder),
    testData: createOrders,
  },
  { operation: 'POST /api/order/po/', body: PurchaseOrder, response: created(PurchaseOrder), setup: withBody(buildOrder) },
  { operation: 'PATCH /api/order/po/{id}/', body: PurchaseOrder, response: ok(PurchaseOrder), setup: withNewOrder },
  { operation: 'PUT /api/order/po/{id}/', body: PurchaseOrder, response: ok(PurchaseOrder), setup: withNewOrder },
  {
    operation: 'PUT /api/order/po-line/{id}/',
    body: PurchaseOrderLineItem,
    response: ok(PurchaseOrderLineItem),
    setup: withNewLine,
  },
  { operation: 'GET /api/order/po-line/{id}/metadata/', response: ok(Metadata), setup: withNewLine },
  {
    operation: 'PATCH /api/order/po-line/{id}/metadata/',
    body: Metadata,
    response: ok(Metadata),
    setup: withMetadata(withNewLine),
  },
  {
    operation: 'PUT /api/order/po-line/{id}/metadata/',
    body: Metadata,
    response: ok(Metadata),
    setup: withMetadata(withNewLine),
  },
  {
    operation: 'GET /api/order/po-extra-line/',
    parameters: { order: reference('ordered', 'ordered'), search: text(({ mark }) => [[mark, 'marked'], [`${mark} other`]]) },
    ordering: ['reference', 'quantity'],
    response: page(PurchaseOrderExtraLine),
    testData: createExtraLines,
  },
  {
    operation: 'POST /api/order/po-extra-line/',
    body: PurchaseOrderExtraLine,
    response: created(PurchaseOrderExtraLine),
    setup: withBody(buildLine),
  },
  { operation: 'GET /api/order/po-extra-line/{id}/', response: ok(PurchaseOrderExtraLine), setup: withNewExtraLine },
  {
    operation: 'PATCH /api/order/po-extra-line/{id}/',
    body: PurchaseOrderExtraLine,
    response: ok(PurchaseOrderExtraLine),
    setup: withNewExtraLine,
  },
  {
    operation: 'PUT /api/order/po-extra-line/{id}/',
    body: PurchaseOrderExtraLine,
    response: ok(PurchaseOrderExtraLine),
    setup: withNewExtraLine,
  },
  { operation: 'DELETE /api/order/po-extra-line/{id}/', response: ok(PurchaseOrderExtraLine), setup: withNewExtraLine },
]
