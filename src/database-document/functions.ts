/**
 * Purpose of each function of the database, by topic. Migrations create the functions; docs/database.md shows this list, and a test fails
 * if a function is missing here, or one here is not in the database. A function that returns `trigger` is described by what it keeps true.
 */
export const FUNCTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Trees of categories, locations and variants': {
    lock_tree: 'Locks the shape of a tree until the end of the transaction, so that concurrent moves cannot form a loop.',
    lock_tree_of_table: 'Takes the lock of `lock_tree` before a statement that changes the shape of the tree.',
    place_in_tree:
      'Sets `path`, `level`, `name_path` and `pathstring` of a category or location from its parent, and rejects a parent below itself.',
    move_tree_below: 'Updates the paths of everything below a category or location that was moved or renamed.',
    place_variant: 'Sets `path` and `level` of a part from its template, and rejects a part that would be a variant of itself.',
    move_variants_below: 'Updates the paths of the variants below a part that was moved to another template.',
    path_string: 'Names joined by `/`, shortened in the middle to 250 characters.',
    with_variants: 'The keys of the given parts and of all variants below them.',
    verify_trees: 'Rows whose stored path differs from the one that their parents give. Empty unless something is broken.',
  },
  Tags: {
    record_tags: 'Adds the tags that an object gets to `tag`, as far as they are not there yet.',
  },
  'Names of parts': {
    default_part_name_format: 'The format of full names that applies without a setting.',
    part_name_format: 'The format of full names that applies now: the setting `PART_NAME_FORMAT`, or the default.',
    part_name_piece: 'The value of one `{{ ... }}` of the format for a part.',
    part_full_name: 'The full name of a part in a format; its plain name if the format gives nothing.',
    name_part:
      'Keeps `part.full_name`. Shares a lock with other writers of parts; a change of the format takes that lock exclusively.',
    name_all_parts: 'Renames all parts whose full name changes with the setting `PART_NAME_FORMAT`.',
  },
  'Quantities of parts': {
    share_quantities: 'Takes the shared lock `quantities` before a statement that changes a quantity of parts by a difference.',
    own_quantities: 'Takes the lock `quantities` exclusively before a statement after which many quantities are computed again.',
    lock_quantities:
      'Takes the shared lock `quantities`, and locks the `part_quantity` rows of the given parts and of the templates above them in the order of their keys.',
    lock_supplied_quantities: 'The same for the parts of the given supplier parts.',
    make_part_quantity: 'Creates the `part_quantity` row of each new part.',
    count_stock:
      'Keeps the stock quantities of parts in `part_quantity`: in stock, external, allocated, numbers of items, and the stock of variants in each template above.',
    add_stock_changes: 'Adds differences of stock, collected by `count_stock`, to `part_quantity` in one statement.',
    count_external_stock: 'Keeps `part_quantity.external_stock` when a location becomes external, ceases to be, or is deleted.',
    count_variant_stock:
      'Recomputes `part_quantity.variant_stock` of the templates above parts that were moved to another template.',
    take_variant_stock_along:
      'Before a part is deleted: subtracts its stock from the variant stock of its templates, and deletes its `part_quantity` row.',
    verify_quantities: 'Quantities in `part_quantity` that differ from a fresh count. Empty unless something is broken.',
  },
  'Stock items': {
    keep_history: 'Keeps the history of an item that is deleted with its part: `stock_tracking.part`.',
    open_stock_account: 'Sets `opening_quantity` of a stock item that is inserted without one to its quantity.',
    reattach_split_items: 'Gives the items that were split from a deleted item the parent of that item.',
    lock_what_goes_with_item:
      'Before a stock item is deleted: locks the return orders, split items and installed items that change with it, and rejects the deletion with `LK001` instead of waiting for another transaction.',
  },
  'Purchase orders and supplier parts': {
    is_open_order: 'Whether lines of a purchase order with this status are outstanding: pending, placed or on hold.',
    open_packs: 'Number of outstanding packs of a supplier part.',
    count_suppliers: 'Keeps `part_quantity.suppliers` when supplier parts are created.',
    move_supplier_part:
      'Keeps `suppliers` and `ordering` in `part_quantity` when a supplier part gets another part or another pack quantity.',
    take_supplier_part_along: 'Keeps `suppliers` and `ordering` in `part_quantity` when a supplier part is deleted.',
    count_lines:
      'Keeps `line_items` and `completed_lines` of purchase orders, and `part_quantity.ordering`, when their lines change.',
    add_line_changes:
      'Adds differences of purchase order lines, collected by `count_lines`, to the orders and to `part_quantity`.',
    count_order: 'Keeps `part_quantity.ordering` when a purchase order is opened, closed or deleted.',
    verify_line_counts: 'Line counts of purchase orders that differ from a fresh count. Empty unless something is broken.',
  },
  'Sales orders': {
    is_open_sales_order: 'Whether lines of a sales order with this status still require stock: pending, in progress or on hold.',
    count_allocations: 'Keeps `stock_item.allocated_to_sales_orders`: the sum of the open allocations of the item.',
    count_sales_lines:
      'Keeps `line_items` and `completed_lines` of sales orders, and `part_quantity.required_for_sales_orders`, when their lines change.',
    add_sales_line_changes:
      'Adds differences of sales order lines, collected by `count_sales_lines`, to the orders and to `part_quantity`.',
    count_sales_order: 'Keeps `part_quantity.required_for_sales_orders` when a sales order is opened, closed or deleted.',
    verify_sales_line_counts: 'Line counts of sales orders that differ from a fresh count. Empty unless something is broken.',
    verify_allocations:
      'Stock items whose quantity allocated to sales orders differs from the sum of their open allocations. Empty unless something is broken.',
  },
  'Transfer orders': {
    count_transfer_allocations: 'Keeps `stock_item.allocated_to_transfer_orders`: the sum of the open allocations of the item.',
    count_transfer_lines: 'Keeps the line counts of transfer orders.',
    add_transfer_line_changes: 'Adds differences of transfer order lines, collected by `count_transfer_lines`, to the orders.',
    verify_transfer_allocations:
      'Stock items whose quantity allocated to transfer orders differs from the sum of their open allocations. Empty unless something is broken.',
    verify_transfer_quantities:
      'Parts whose quantity allocated to transfer orders differs from that of their stock. Empty unless something is broken.',
    verify_transfer_line_counts: 'Transfer orders whose line counts differ from their lines. Empty unless something is broken.',
  },
  'Return orders': {
    count_return_lines:
      'Keeps `line_items` and `completed_lines` of return orders; a line is complete once its outcome is decided.',
    add_return_line_changes: 'Adds differences of return order lines, collected by `count_return_lines`, to the orders.',
    verify_return_line_counts: 'Line counts of return orders that differ from a fresh count. Empty unless something is broken.',
  },
  'References and dates of orders': {
    date_order_change: 'Sets `updated_at` of an order to the time of its last change.',
    share_references:
      'Takes a lock, shared by all writers of references of one kind of order. The search for the next reference takes it exclusively.',
  },
  'Build orders': {
    end_custom_state: 'Clears the custom state of a row whose status changes.',
    is_active_build: 'Whether a build order with this status is active: pending, in production or on hold.',
    bom_required: 'Quantity of a BOM line for a number of builds, with its losses, rounded up to its multiple.',
    make_build_lines: 'Creates the lines of build orders from the BOM, and updates the quantities of existing ones.',
    make_lines_of_build: 'Creates the lines of a new build order, and updates them when its quantity changes.',
    follow_bills:
      'Updates the lines of active build orders from their BOMs, and deletes lines that the BOM no longer has, with their allocations.',
    follow_bom_items: 'Updates the lines of active build orders when a BOM line is added or changed.',
    follow_move: 'Updates the lines of active build orders when their part is moved to another template, whose BOM it inherits.',
    lock_build_lines: 'Locks the stock items allocated to build lines, and the quantities of all parts concerned.',
    lock_bills: 'Locks everything that `follow_bills` changes, for build orders that are locked already.',
    lock_builds_of_lines: 'Locks the build orders, allocated stock and quantities that change when BOM lines are deleted.',
    lock_builds_of_bom_item: 'Takes the locks of `lock_builds_of_lines` before a BOM line is deleted.',
    count_build_allocations: 'Keeps `stock_item.allocated_to_build_orders`: the sum of the open allocations of the item.',
    count_build_lines: 'Keeps `part_quantity.required_for_build_orders` when lines of build orders change.',
    count_build_order: 'Keeps `part_quantity.required_for_build_orders` when a build order is opened, closed or deleted.',
    count_building: 'Keeps `part_quantity.building`: the quantity that active build orders make of a part.',
    verify_build_allocations:
      'Stock items whose quantity allocated to build orders differs from the sum of their open allocations. Empty unless something is broken.',
  },
  BOM: {
    bom_lines: 'The BOM lines of a part: its own, and the inherited ones of the templates above it.',
    bom_parts: 'The parts that a BOM can use: components, and their substitutes and variants, which are marked as `replaced`.',
    bom_below: 'A part and everything in its BOM, at any depth.',
    refuse_bom_loops: 'Rejects BOM lines by which an assembly would contain itself, or a part of its own family, at any depth.',
    refuse_bom_loop_of_move: 'Rejects a move of a part to another template if an assembly would contain itself then.',
    bom_line_digest: 'A digest of a BOM line. The digests of all lines show whether a BOM changed since it was validated.',
    bytes_text: 'Bytes in the notation in which existing systems compute that digest.',
    yes_or_no: '`True` or `False`, as the digest contains them.',
  },
  Prices: {
    as_money: 'An amount rounded to 6 decimals, half to even.',
    ask_for_prices: 'Queues parts whose prices have to be recalculated. An import turns this off.',
    price_dependents: 'Parts whose prices depend on those of a part: the templates above it, and the assemblies that can use it.',
    price_dependents_of: 'The same for several parts, with the templates that are or were above them.',
    price_of_part_changed: 'Queues the part of a changed row: of a price, a supplier part or a stock item.',
    price_of_supplier_changed: 'Queues the part of a supplier part whose price breaks changed.',
    price_of_purchase_line_changed: 'Queues the part of a changed line of a complete purchase order.',
    price_of_sales_line_changed: 'Queues the part of a changed line of a shipped sales order.',
    price_of_order_changed: 'Queues the parts of an order that is completed or shipped, or no longer is.',
    price_of_bom_changed: 'Queues the assemblies of changed BOM lines, and their variants if the line is inherited.',
    price_of_substitute_changed: 'Queues the assemblies that a substitute was added to or removed from.',
    prices_of_items_changed: 'Queues the parts of created or deleted stock items that have a purchase price.',
    prices_of_part_changed: 'Queues parts whose role or template changed, and the parts whose prices depend on them.',
    prices_of_all_changed: 'Queues all parts when a setting changes that all prices depend on.',
  },
  'Counts of rows and changes': {
    count_change:
      'Counts the rows of a table and the changes of it in `change_counter`. Lists use the totals, and the service uses the number of changes to know whether a cached page is current.',
    watch_changes: 'Attaches `count_change` to a table. Each migration that creates a table with a list calls it.',
    missing_rows: 'Number of rows of a table that its total in `change_counter` is short of.',
    correct_total: 'Counts the rows of a table and corrects its total, while others write. Returns the difference.',
    fold_change_counters: 'Adds the counters of closed connections to slot 0. The sums stay the same.',
    hold_by: 'Attaches triggers to a table that count its rows by a column in `holding`, as `hold_part_insert` does.',
    count_by: 'The same by the value of an expression.',
    hold_part_insert: 'Keeps the number of parts of each category in `holding` when parts are created.',
    hold_part_update: 'Keeps the number of parts of each category in `holding` when parts are changed.',
    hold_part_delete: 'Keeps the number of parts of each category in `holding` when parts are deleted.',
    hold_part_truncate: 'Deletes the numbers of parts from `holding` when all parts are deleted.',
    hold_stock_item_insert:
      'Keeps the number of stock items of each location, and of those in stock, in `holding` when items are created.',
    hold_stock_item_update: 'Keeps these numbers when items are changed.',
    hold_stock_item_delete: 'Keeps these numbers when items are deleted.',
    hold_stock_item_truncate: 'Deletes these numbers when all items are deleted.',
    fold_holdings: 'Adds the counts of closed connections in `holding` to slot 0. The sums stay the same.',
    correct_holdings: 'Corrects the counts in `holding` by a fresh count, while others write.',
    verify_holdings: 'Counts in `holding` that differ from a fresh count. Empty unless something is broken.',
  },
  'Events and notifications': {
    record_events:
      'Writes an event for each created, changed or deleted row. Its arguments are columns whose changes alone are no event.',
    watch_events: 'Attaches `record_events` to a table.',
    emit_event: 'Writes an event that is not the change of a row, such as the completion of an order.',
    number_events: 'Numbers the events of committed transactions in the order in which readers get them, and wakes the readers.',
    notice_low_sums: 'Writes a low stock notice for each part whose stock changed and is below its minimum.',
    notice_low_stock: 'Writes a low stock notice for a part whose minimum stock was raised above its stock.',
  },
  'Caches of the service': {
    notify_account: 'Sends the key of a changed account on the channel `accounts`, so that each process reads the account again.',
    notify_account_of_row: 'The same for a row that belongs to an account: a group membership, token, session or second factor.',
    notify_all_accounts: 'The same for all accounts, when the permissions or the name of a group change.',
    notify_setting: 'Reports a changed setting on the channel `settings`: the key of the account, or `*` for a global setting.',
    notify_plugins: 'Reports on the channel `plugins` that plugins were enabled, disabled or reloaded.',
    reload_plugins: 'Requests a reload of all plugins after a package was installed, changed or removed.',
    notify_plugin_settings: 'Reports changed settings of plugins on the channel `plugin_settings`.',
  },
  Accounts: {
    make_profile: 'Creates the `user_profile` row of each new account.',
    make_account_owner: 'Creates the owner of each new account.',
    make_group_owner_and_rules: 'Creates the owner of each new group, and its permissions, which permit viewing only.',
  },
  Files: {
    discard_file:
      'Queues the stored file of a deleted or replaced value for deletion, in `loose_file` and on the channel `files`.',
    keep_files: 'Attaches `discard_file` to a column that names files.',
    uri_path: 'A path with all characters encoded that a URL does not allow (RFC 3986).',
  },
  'Kinds of one table': {
    assign_kind_key:
      'Sets `kind_pk`: the next key among the rows of the same `model_type`, if these have a view; and again when a row gets another `model_type`.',
    record_kind_events: 'Records changes of such a table as events of the views, with the keys of the kinds.',
    watch_kinds: 'Attaches `assign_kind_key` and `record_kind_events` to a table, with the view of each kind.',
  },
  Barcodes: {
    keep_code: 'Keeps `linked_code`: the object that each linked barcode stands for.',
    keep_codes: 'Attaches `keep_code` to a table whose objects have barcodes.',
  },
  Search: {
    fold_text:
      'Text in one spelling for searches: compatible characters are unified, such as full-width letters and the micro sign.',
  },
}

/** Purposes of the relations that have no `*.table.ts`. */
export const OTHER_RELATIONS: Readonly<Record<string, string>> = {
  migration: 'The migrations applied to this database, with a hash of each. `src/database/migrate.ts` creates and reads it.',
  throttle:
    'Attempts per account, address or email within a period, for rate limits. Not logged: it is empty after a crash of PostgreSQL.',
  ...Object.fromEntries(
    ['build_order', 'company', 'manufacturer_part', 'part', 'purchase_order', 'return_order', 'sales_order', 'stock_item'].map(
      (owner) => [`${owner}_attachment`, 'View: the rows of `attachment` of this kind of object, by their keys among these.'],
    ),
  ),
  ...Object.fromEntries(
    ['build_line_label', 'part_label', 'stock_item_label', 'stock_location_label'].map((view) => [
      view,
      'View: the rows of `label_template` of this kind of object, by their keys among these.',
    ]),
  ),
  ...Object.fromEntries(
    [
      'bom_report',
      'build_report',
      'purchase_order_report',
      'return_order_report',
      'sales_order_report',
      'stock_location_report',
      'test_report',
    ].map((view) => [view, 'View: the rows of `report_template` of this kind of object, by their keys among these.']),
  ),
  watched_table: 'View: the tables whose rows and changes `count_change` counts.',
}
