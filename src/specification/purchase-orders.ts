import { created, flag, metadataOf, ok, onNew, page, type Row, reference, type Scene, text, withBody } from './operations.ts'
import { Metadata, PurchaseOrder, PurchaseOrderExtraLine, PurchaseOrderLineItem } from './resources.ts'
import { type Fixture, make } from './test-data.ts'

// The table "Purchase orders".

const order = async (fixture: Fixture) => ({ reference: make.reference(), supplier: await make.supplier(fixture) })
const line = async (fixture: Fixture) => ({ order: await make.order(fixture), quantity: 1 })
const onOrder = onNew('/api/order/po/', order)
const onLine = onNew('/api/order/po-line/', line)
const onExtraLine = onNew('/api/order/po-extra-line/', line)

const STATUS = { pending: 10, placed: 20, complete: 30 }
const LONG_AGO = '2001-01-31'

/** Creates orders that are each found by the property that they are named after. */
async function orders(fixture: Fixture): Promise<Scene> {
  const of = async (fields: object = {}, status = STATUS.pending) => {
    const pk = await fixture.create('/api/order/po/', { ...(await order(fixture)), ...fields })
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
      mine: await of({ responsible: memberOwner.pk, description: `${marked} one of two` }),
      coded: await of({ project_code: projectCode }),
      placed: await of({}, STATUS.placed),
      late: await of({ target_date: LONG_AGO }),
      complete: await of({ target_date: LONG_AGO }, STATUS.complete),
      bought: await of({ supplier }),
      // its reference sorts between those of the others only when sorting by reference
      marked: await of({ reference: marked }),
    },
    values: { projectCode, supplier, placed: STATUS.placed, marked },
  }
}

async function extraLines(fixture: Fixture): Promise<Scene> {
  const of = async (fields: object) => fixture.create('/api/order/po-extra-line/', { ...(await line(fixture)), ...fields })
  const ordered = await make.order(fixture)
  const mark = make.reference()
  return {
    rows: {
      ordered: await of({ order: ordered, reference: 'b', quantity: 1 }),
      marked: await of({ reference: 'c', quantity: 2, description: mark }),
      other: await of({ reference: 'a', quantity: 3 }),
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
    answer: page(PurchaseOrder),
    scene: orders,
  },
  { operation: 'POST /api/order/po/', body: PurchaseOrder, answer: created(PurchaseOrder), given: withBody(order) },
  { operation: 'PATCH /api/order/po/{id}/', body: PurchaseOrder, answer: ok(PurchaseOrder), given: onOrder },
  { operation: 'PUT /api/order/po/{id}/', body: PurchaseOrder, answer: ok(PurchaseOrder), given: onOrder },
  { operation: 'PUT /api/order/po-line/{id}/', body: PurchaseOrderLineItem, answer: ok(PurchaseOrderLineItem), given: onLine },
  { operation: 'GET /api/order/po-line/{id}/metadata/', answer: ok(Metadata), given: onLine },
  { operation: 'PATCH /api/order/po-line/{id}/metadata/', body: Metadata, answer: ok(Metadata), given: metadataOf(onLine) },
  { operation: 'PUT /api/order/po-line/{id}/metadata/', body: Metadata, answer: ok(Metadata), given: metadataOf(onLine) },
  {
    operation: 'GET /api/order/po-extra-line/',
    parameters: { order: reference('ordered', 'ordered'), search: text(({ mark }) => [[mark, 'marked'], [`${mark} other`]]) },
    ordering: ['reference', 'quantity'],
    answer: page(PurchaseOrderExtraLine),
    scene: extraLines,
  },
  {
    operation: 'POST /api/order/po-extra-line/',
    body: PurchaseOrderExtraLine,
    answer: created(PurchaseOrderExtraLine),
    given: withBody(line),
  },
  { operation: 'GET /api/order/po-extra-line/{id}/', answer: ok(PurchaseOrderExtraLine), given: onExtraLine },
  {
    operation: 'PATCH /api/order/po-extra-line/{id}/',
    body: PurchaseOrderExtraLine,
    answer: ok(PurchaseOrderExtraLine),
    given: onExtraLine,
  },
  {
    operation: 'PUT /api/order/po-extra-line/{id}/',
    body: PurchaseOrderExtraLine,
    answer: ok(PurchaseOrderExtraLine),
    given: onExtraLine,
  },
  { operation: 'DELETE /api/order/po-extra-line/{id}/', answer: ok(PurchaseOrderExtraLine), given: onExtraLine },
]
