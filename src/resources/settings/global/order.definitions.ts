import { referencePattern } from '../checks.ts'
import { flag, text } from '../setting.ts'

const pattern = (initial: string, orders: string) =>
  text(initial, 'Reference pattern', `Pattern of the references of ${orders}.`, { check: referencePattern })

const responsible = (orders: string) => flag(false, 'Responsible required', `Every ${orders} must have a responsible owner.`)

const editCompleted = (orders: string) =>
  flag(false, 'Edit completed orders', `${orders} may be changed after they are completed.`)

/** Build, return, sales and purchase orders. */
export const orderSettings = {
  BUILDORDER_REFERENCE_PATTERN: pattern('BO-{ref:04d}', 'build orders'),
  BUILDORDER_REQUIRE_RESPONSIBLE: responsible('build order'),
  PREVENT_BUILD_COMPLETION_HAVING_INCOMPLETED_TESTS: flag(
    false,
    'Tests before completion',
    'A build output is completed only when its required tests are passed.',
  ),
  RETURNORDER_ENABLED: flag(false, 'Return orders', 'Offer return orders in the web interface.'),
  RETURNORDER_REFERENCE_PATTERN: pattern('RMA-{ref:04d}', 'return orders'),
  RETURNORDER_REQUIRE_RESPONSIBLE: responsible('return order'),
  RETURNORDER_EDIT_COMPLETED_ORDERS: editCompleted('Return orders'),
  SALESORDER_REFERENCE_PATTERN: pattern('SO-{ref:04d}', 'sales orders'),
  SALESORDER_REQUIRE_RESPONSIBLE: responsible('sales order'),
  SALESORDER_DEFAULT_SHIPMENT: flag(false, 'First shipment', 'A new sales order starts with a shipment.'),
  SALESORDER_EDIT_COMPLETED_ORDERS: editCompleted('Sales orders'),
  PURCHASEORDER_REFERENCE_PATTERN: pattern('PO-{ref:04d}', 'purchase orders'),
  PURCHASEORDER_REQUIRE_RESPONSIBLE: responsible('purchase order'),
  PURCHASEORDER_EDIT_COMPLETED_ORDERS: editCompleted('Purchase orders'),
  PURCHASEORDER_AUTO_COMPLETE: flag(true, 'Complete when received', 'A purchase order is complete once every line is received.'),
  PROJECT_CODES_ENABLED: flag(false, 'Project codes', 'Orders can carry the code of a project.'),
}
