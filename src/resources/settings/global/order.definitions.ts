import { referencePattern } from '../checks.ts'
import { flag, text } from '../setting.ts'

const pattern = (initial: string, name: string, orders: string) =>
  text(
    initial,
    name,
    `What references of ${orders} are like: \`{ref:04d}\` is the number, \`{date:%Y}\` the date in UTC, \`?\` any character, \`#\` any digit.`,
    { check: referencePattern },
  )

/** Build, return, sales and purchase orders. */
export const orderSettings = {
  BUILDORDER_REFERENCE_PATTERN: pattern('BO-{ref:04d}', 'Build Order Reference Pattern', 'build orders'),
  BUILDORDER_REQUIRE_RESPONSIBLE: flag(false, 'Require Responsible Owner', 'A build order has to say who is responsible for it.'),
  PREVENT_BUILD_COMPLETION_HAVING_INCOMPLETED_TESTS: flag(
    false,
    'Block Until Tests Pass',
    'What was built is complete only once it has passed all required tests.',
  ),
  RETURNORDER_ENABLED: flag(false, 'Enable Return Orders', 'Interfaces offer return orders.'),
  RETURNORDER_REFERENCE_PATTERN: pattern('RMA-{ref:04d}', 'Return Order Reference Pattern', 'return orders'),
  RETURNORDER_REQUIRE_RESPONSIBLE: flag(
    false,
    'Require Responsible Owner',
    'A return order has to say who is responsible for it.',
  ),
  RETURNORDER_EDIT_COMPLETED_ORDERS: flag(
    false,
    'Edit Completed Return Orders',
    'Interfaces let a return order be changed once it is complete.',
  ),
  SALESORDER_REFERENCE_PATTERN: pattern('SO-{ref:04d}', 'Sales Order Reference Pattern', 'sales orders'),
  SALESORDER_REQUIRE_RESPONSIBLE: flag(false, 'Require Responsible Owner', 'A sales order has to say who is responsible for it.'),
  SALESORDER_DEFAULT_SHIPMENT: flag(false, 'Sales Order Default Shipment', 'A new sales order begins with a shipment.'),
  SALESORDER_EDIT_COMPLETED_ORDERS: flag(
    false,
    'Edit Completed Sales Orders',
    'Interfaces let a sales order be changed once it is complete.',
  ),
  PURCHASEORDER_REFERENCE_PATTERN: pattern('PO-{ref:04d}', 'Purchase Order Reference Pattern', 'purchase orders'),
  PURCHASEORDER_REQUIRE_RESPONSIBLE: flag(
    false,
    'Require Responsible Owner',
    'A purchase order has to say who is responsible for it.',
  ),
  PURCHASEORDER_EDIT_COMPLETED_ORDERS: flag(
    false,
    'Edit Completed Purchase Orders',
    'Interfaces let a purchase order be changed once it is complete.',
  ),
  PURCHASEORDER_AUTO_COMPLETE: flag(
    true,
    'Auto Complete Purchase Orders',
    'A purchase order is complete as soon as every line has been received in full.',
  ),
  PROJECT_CODES_ENABLED: flag(false, 'Enable project codes', 'Interfaces offer to charge orders to projects.'),
}
