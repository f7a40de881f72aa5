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
  BUILDORDER_REQUIRE_ACTIVE_PART: flag(
    false,
    'Require Active Part',
    'In Stockroom, a build order can always be created only for an active part. The setting is only stored.',
    { usedBy: 'clients' },
  ),
  BUILDORDER_REQUIRE_LOCKED_PART: flag(
    false,
    'Require Locked Part',
    'A build order can be created only for a locked part, whose BOM no one changes.',
  ),
  BUILDORDER_REQUIRE_VALID_BOM: flag(
    false,
    'Require Valid BOM',
    'A build order can be created only for a part whose BOM is validated.',
  ),
  BUILDORDER_REQUIRE_CLOSED_CHILDS: flag(
    false,
    'Require Closed Child Orders',
    'A build order can be completed only after its child orders are complete or cancelled.',
  ),
  BUILDORDER_EXTERNAL_BUILDS: flag(
    false,
    'External Build Orders',
    'Suppliers can carry out build orders, and purchase order lines can refer to these.',
  ),
  BUILDORDER_EXTERNAL_REQUIRED: flag(
    false,
    'Require External Build Orders',
    'A purchase order line for an assembly requires a build order, while external build orders are on.',
  ),
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
  SALESORDER_BLOCK_INCOMPLETE_ITEM_TESTS: flag(
    false,
    'Block Incomplete Item Tests',
    'Stock can be allocated to sales orders only after it has passed all required tests.',
  ),
  SALESORDER_SHIPMENT_REQUIRES_CHECK: flag(
    false,
    'Shipment Requires Checking',
    'A shipment can be shipped only after an account has checked it.',
  ),
  SALESORDER_SHIP_COMPLETE: flag(
    false,
    'Mark Shipped Orders as Complete',
    'In Stockroom, a shipped sales order is always closed: it needs no further completion. The setting is only stored.',
    { usedBy: 'clients' },
  ),
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
  PURCHASEORDER_CONVERT_CURRENCY: flag(
    false,
    'Convert Currency',
    'The purchase price of received stock is converted to the default currency, at the exchange rate of the day of receipt.',
  ),
  PURCHASEORDER_MERGE_LINE_ITEMS: flag(
    true,
    'Merge Line Items',
    'A new purchase order line is merged into a matching line by default.',
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
