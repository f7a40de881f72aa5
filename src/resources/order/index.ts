import type { Area } from '../area.ts'
import { purchaseOrder } from './po/po.resource.ts'
import { purchaseOrderExtraLine } from './po-extra-line/po-extra-line.resource.ts'

export const order: Area = { resources: [purchaseOrder, purchaseOrderExtraLine], actions: [] }
