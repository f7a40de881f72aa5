import { validateReferencePattern } from '../checks.ts'
import { flag, text } from '../setting.ts'

const patternSetting = (initial: string, name: string, orders: string) =>
  text(
    initial,
    name,
    `The pattern for references of ${orders}: \`{ref:04d}\` is the number, \`{date:%Y}\` the date in UTC, \`?\` any character, \`#\` any digit.`,
    { check: validateReferencePattern },
  )

/** Build, return, sales, purchase and transfer orders. */
export const orderSettings = {
  BUILDORDER_REFERENCE_PATTERN: patternSetting('BO-{ref:04d}', 'Build Order Reference Pattern', 'build orders'),
  BUILDORDER_REQUIRE_RESPONSIBLE: flag(false, 'Require Responsible Owner', 'A build order requires a responsible user or group.'),
  PREVENT_BUILD_COMPLETION_HAVING_INCOMPLETED_TESTS: flag(
    false,
    'Block Until Tests Pass',
    'Build outputs can be completed only after they have passed all required tests.',
  ),
  RETURNORDER_ENABLED: flag(false, 'Enable Return Orders', 'Clients offer return orders.', { usedBy: 'clients' }),
  RETURNORDER_REFERENCE_PATTERN: patternSetting('RMA-{ref:04d}', 'Return Order Reference Pattern', 'return orders'),
  RETURNORDER_REQUIRE_RESPONSIBLE: flag(
    false,
    'Require Responsible Owner',
    'A return order requires a responsible user or group.',
  ),
  RETURNORDER_EDIT_COMPLETED_ORDERS: flag(
    false,
    'Edit Completed Return Orders',
    'Clients allow editing completed return orders.',
    { usedBy: 'console' },
  ),
  SALESORDER_REFERENCE_PATTERN: patternSetting('SO-{ref:04d}', 'Sales Order Reference Pattern', 'sales orders'),
  SALESORDER_REQUIRE_RESPONSIBLE: flag(false, 'Require Responsible Owner', 'A sales order requires a responsible user or group.'),
  SALESORDER_DEFAULT_SHIPMENT: flag(false, 'Sales Order Default Shipment', 'A new sales order is created with a shipment.'),
  SALESORDER_EDIT_COMPLETED_ORDERS: flag(false, 'Edit Completed Sales Orders', 'Clients allow editing completed sales orders.', {
    usedBy: 'console',
  }),
  PURCHASEORDER_REFERENCE_PATTERN: patternSetting('PO-{ref:04d}', 'Purchase Order Reference Pattern', 'purchase orders'),
  PURCHASEORDER_REQUIRE_RESPONSIBLE: flag(
    false,
    'Require Responsible Owner',
    'A purchase order requires a responsible user or group.',
  ),
  PURCHASEORDER_EDIT_COMPLETED_ORDERS: flag(
    false,
    'Edit Completed Purchase Orders',
    'Clients allow editing completed purchase orders.',
    { usedBy: 'console' },
  ),
  PURCHASEORDER_AUTO_COMPLETE: flag(
    true,
    'Auto Complete Purchase Orders',
    'A purchase order completes as soon as all lines are received in full.',
  ),
  TRANSFERORDER_ENABLED: flag(false, 'Enable Transfer Orders', 'Clients offer transfer orders.', { usedBy: 'clients' }),
  TRANSFERORDER_REFERENCE_PATTERN: patternSetting('TO-{ref:04d}', 'Transfer Order Reference Pattern', 'transfer orders'),
  TRANSFERORDER_REQUIRE_RESPONSIBLE: flag(
    false,
    'Require Responsible Owner',
    'A transfer order requires a responsible user or group.',
  ),
  TRANSFERORDER_EDIT_COMPLETED_ORDERS: flag(
    false,
    'Edit Completed Transfer Orders',
    'Clients allow editing completed transfer orders.',
    { usedBy: 'clients' },
  ),
  PROJECT_CODES_ENABLED: flag(false, 'Enable project codes', 'Clients offer project codes for orders.', { usedBy: 'clients' }),
}
