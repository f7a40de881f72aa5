/**
 * What fields mean, for people: the texts of the OpenAPI document that speak to programs, by the text of the document. All others are shown
 * as they are; said.test.ts finds what is missing and what is no longer said.
 */
export const help: Readonly<Record<string, string>> = {
  'Its mail address; null or empty for none.': 'Its mail address; empty for none.',
  'The address of a picture in the public internet, which is fetched and kept as its picture, if INVENTREE_DOWNLOAD_FROM_URL is on.':
    'The address of a picture in the public internet, which is fetched and kept as its picture, where the service allows that.',
  'The page that it is a view of, as a path below the site: `/parts`.': 'The page that it is a view of.',
  'The query of the address, without `?`: `low_stock=true&ordering=name`.': 'What is filtered and how it is ordered.',
  'Only stock in this location, or below it, is put by; null for anywhere.':
    'Only stock in this location, or below it, is put by; empty for anywhere.',
  'Stock in this location, or below it, is not put by; null for none.':
    'Stock in this location, or below it, is not put by; empty for none.',
  'The batch; left out, that of the build order, or else a code by STOCK_BATCH_CODE_TEMPLATE.':
    'The batch; empty for that of the build order, or else the next code.',
  'As many serial numbers as `quantity` says; a trackable part needs them. With commas or blanks between: numbers, and ranges such as `1-5`, `7+` (and on), `7+2` (and two more), `~` (the next free one).':
    'As many serial numbers as the quantity; a trackable part needs them. With commas or blanks between: numbers, and ranges such as 1-5, 7+ (and on), 7+2 (and two more), ~ (the next free one).',
  'Where it is made; null for the destination of the build order, or without one where new stock of the part goes.':
    'Where it is made; empty for the destination of the build order, or without one where new stock of the part goes.',
  'What becomes of what is put by for a line beyond what it takes: it is refused (`reject`), used up too (`accept`), or free again (`trim`).':
    'What becomes of what is put by for a line beyond what it takes: it is refused, used up too, or free again.',
  'The batch of what is made, unless an output says otherwise; empty or null for none.':
    'The batch of what is made, unless an output says otherwise; empty for none.',
  'The day on which it was finished or cancelled; null before.': 'The day on which it was finished or cancelled; empty before.',
  'The stock location where what is made goes; null for none. Of a new one by default where new stock of the part goes.':
    'The stock location where what is made goes; empty for none. Of a new one by default where new stock of the part goes.',
  'The build order for which this one makes something; null for none.':
    'The build order for which this one makes something; empty for none.',
  'The project that it is charged to, by the key of its project code; null for none.':
    'The project that it is charged to; empty for none.',
  'What the order is called; no two have the same. It fits the setting `BUILDORDER_REFERENCE_PATTERN`; OPTIONS suggests the next.':
    'What the order is called; no two have the same. The next one is suggested.',
  'The sales order for which it is made; null for none.': 'The sales order for which it is made; empty for none.',
  'The day by which it is to be finished; null for none.': 'The day by which it is to be finished; empty for none.',
  'The stock location from which, and from below which, its components come; null for anywhere.':
    'The stock location from which, and from below which, its components come; empty for anywhere.',
  'The account that asked for it; null for nobody. It is not filled in by itself.':
    'The account that asked for it; empty for nobody.',
  'Who answers for it: an account or a group, by its key in `/api/user/owner/`; null for nobody, unless `BUILDORDER_REQUIRE_RESPONSIBLE` is on.':
    'Who answers for it: an account or a group; empty for nobody, where that is allowed.',
  'The output into which it goes, of a tracked component; null for another.':
    'The output into which it goes, of a tracked component; empty for another.',
  'Their state from then on, by the numbers of `/api/stock/status/`.': 'Their state from then on.',
  'How many packs the supplier says it has. Writing it sets `availability_updated`.': 'How many packs the supplier says it has.',
  'What the supplier calls it; null or empty for nothing.': 'What the supplier calls it; empty for nothing.',
  'What is delivered, as its manufacturer knows it; null where that is not known, or not always the same.':
    'What is delivered, as its manufacturer knows it; empty where that is not known, or not always the same.',
  'A short remark, such as on delivery; null or empty for none.': 'A short remark, such as on delivery; empty for none.',
  'What it comes in, such as reel or bag; null or empty for nothing.':
    'What it comes in, such as reel or bag; empty for nothing.',
  'What one pack holds, in the unit of the part or one that converts to it, such as `100` or `5 m`. Empty means 1.':
    'What one pack holds, in the unit of the part or one that converts to it, such as 100 or 5 m. Empty means 1.',
  'What the manufacturer says of it; null or empty for nothing.': 'What the manufacturer says of it; empty for nothing.',
  'The unit of the value, as text, which need not be a known one; null or empty for none.':
    'The unit of the value, as text, which need not be a known one; empty for none.',
  'The location in which it is; null for the top.': 'The location in which it is; empty for the top.',
  'Who looks after it: an account or a group, by its key in `/api/user/owner/`; null for nobody in particular.':
    'Who looks after it: an account or a group; empty for nobody in particular.',
  'Whether it is outside the house: stock in it is told apart in the `external_stock` of parts.':
    'Whether it is outside the house: stock in it is told apart on the pages of parts.',
  'What kind of place it is; null for none. Without an icon of its own it has that of its type.':
    'What kind of place it is; empty for none. Without an icon of its own it has that of its type.',
  'What is lost when it is built: a number for each build order, in units of the component, or a share of what is used, as `5 %`; empty for nothing.':
    'What is lost when it is built: a number for each build order, in units of the component, or a share of what is used, as 5 %; empty for nothing.',
  'Whether the line says what it said when it was last found valid (`/api/bom/{id}/validate/`); what is sent is not taken.':
    'Whether the line says what it said when it was last checked; it cannot be changed here.',
  'Where new stock goes of those of its parts that have no place of their own; null for where the category above says.':
    'Where new stock goes of those of its parts that have no place of their own; empty for where the category above says.',
  'Keywords that forms suggest for new parts in it; empty or null for none.':
    'Keywords that forms suggest for new parts in it; empty for none.',
  'The category in which it is; null for the top.': 'The category in which it is; empty for the top.',
  'Whether it is made from other parts, by a bill of materials. A new part that does not say takes it from the setting PART_ASSEMBLY.':
    'Whether it is made from other parts, by a bill of materials.',
  'Whether other parts are made from it. A new part that does not say takes it from the setting PART_COMPONENT.':
    'Whether other parts are made from it.',
  'The account that made it: of a new part always the caller. A change may name another one, or null.':
    'The account that made it: of a new part always your own.',
  'Where new stock of it goes when no place is given; null for no place of its own.':
    'Where new stock of it goes when no place is given; empty for no place of its own.',
  'The supplier part as which it is usually bought; null for none.':
    'The supplier part as which it is usually bought; empty for none.',
  'The internal part number, empty or null for none. It has to fit PART_IPN_REGEX, and to be new if PART_ALLOW_DUPLICATE_IPN is off.':
    'The internal part number, empty for none. It may have to follow a pattern, and to be new.',
  'Whether other parts can be variants of it (`variant_of`). A new part that does not say takes it from the setting PART_TEMPLATE.':
    'Whether other parts can be variants of it.',
  'Further words by which a search finds it; empty or null for none.':
    'Further words by which a search finds it; empty for none.',
  'The day on which all its stock was last counted; null if never.':
    'The day on which all its stock was last counted; empty if never.',
  'Whether it is bought: only then can it have supplier parts. A new part that does not say takes it from the setting PART_PURCHASEABLE.':
    'Whether it is bought: only then can it have supplier parts.',
  'Which version of it this is, such as C or 2.1; empty or null for none.':
    'Which version of it this is, such as C or 2.1; empty for none.',
  'Whether it is sold: only then can its stock be assigned to customers. A new part that does not say takes it from the setting PART_SALABLE.':
    'Whether it is sold: only then can its stock be assigned to customers.',
  'Whether its units are followed one by one: quantities are whole, serial numbers may be given. A new part that does not say takes it from the setting PART_TRACKABLE.':
    'Whether its units are followed one by one: quantities are whole, serial numbers may be given.',
  'The unit in which all its quantities are: a physical one, or one of `/api/units/`; empty or null for pieces.':
    'The unit in which all its quantities are, such as m or kg, or one of your own; empty for pieces.',
  'The template of which it is a variant, null for none. A template and its variants share one range of serial numbers.':
    'The template of which it is a variant, empty for none. A template and its variants share one range of serial numbers.',
  'Whether it is nothing that can be stored, such as software: it has no stock. A new part that does not say takes it from the setting PART_VIRTUAL.':
    'Whether it is nothing that can be stored, such as software: it has no stock.',
  'Who answers for it: an account or a group, by its key in `/api/user/owner/`; null for nobody.':
    'Who answers for it: an account or a group; empty for nobody.',
  'The value as it is written: `4k7`, `4.7 kohm` or `4700` of a template in ohm, a choice, or any text. Of a checkbox `true` or `false`.':
    'The value as it is written: 4k7, 4.7 kohm or 4700 of a parameter in ohm, a choice, or any text; yes or no of a checkbox.',
  'The value as a number in the units of the template, 1 or 0 of a checkbox; null when it is none. It follows from `data`: what is sent is not taken.':
    'The value as a number in the units of the parameter. It follows from the value and cannot be changed here.',
  'The unit of its values: a physical one, or one of `/api/units/`. Values may be in any unit that can be converted to it. Empty for none.':
    'The unit of its values, such as m or ohm, or one of your own. Values may be in any unit that can be converted to it. Empty for none.',
  'Whether its values are yes and no: they are stored as `True` and `False`. It has neither units nor choices then.':
    'Whether its values are yes and no. It has neither units nor choices then.',
  'The least that it costs, set by hand, zero or more: it replaces what is worked out; null for none.':
    'The least that it costs, set by hand, zero or more: it replaces what is worked out; empty for none.',
  'The currency of `override_min`.': 'The currency of the least price.',
  'The most that it costs, set by hand, zero or more: it replaces what is worked out; null for none.':
    'The most that it costs, set by hand, zero or more: it replaces what is worked out; empty for none.',
  'The currency of `override_max`.': 'The currency of the highest price.',
  'The price of one unit of the part, in `price_currency`, zero or more. Null, of an imported one, is shown but not taken.':
    'The price of one unit of the part, zero or more.',
  'The least that all of it cost, in `cost_min_currency`; null if not known.':
    'The least that all of it cost; empty if not known.',
  'The currency of `cost_min`. Left out, the default currency of the service.': 'The currency of the least cost.',
  'The most that all of it cost, in `cost_max_currency`; null if not known.': 'The most that all of it cost; empty if not known.',
  'The currency of `cost_max`. Left out, the default currency of the service.': 'The currency of the highest cost.',
  'The price of one pack, in `price_currency`, zero or more. Null, of an imported one, is shown but not taken.':
    'The price of one pack, zero or more.',
  'The supplier part that is ordered; null for none. Only a line with one can be received.':
    'The supplier part that is ordered; empty for none. Only a line with one can be received.',
  'The price of one pack, in `purchase_price_currency`; null while it is not known, which adds nothing to the total. Below zero it is taken off, and stock that is received gets no price.':
    'The price of one pack; empty while it is not known, which adds nothing to the total. Below zero it is taken off, and stock that is received gets no price.',
  'Whether the price comes from the price breaks of the supplier part, if it has any, whatever `purchase_price` says. It is not stored.':
    'Whether the price comes from the price breaks of the supplier part, if it has any, in place of the one that is typed.',
  'Where the goods are to be stored, when receiving does not say; null for where the part lies by default.':
    'Where the goods are to be stored, when receiving does not say; empty for where the part lies by default.',
  'The day by which the line is expected; null for that of the order.':
    'The day by which the line is expected; empty for that of the order.',
  'The day on which it was written, by default today (UTC); null for none.':
    'The day on which it was written, by default today (UTC); empty for none.',
  'The day by which the goods are expected, for lines that have none of their own; null for none.':
    'The day by which the goods are expected, for lines that have none of their own; empty for none.',
  'What the order is called; no two have the same. It fits the setting `PURCHASEORDER_REFERENCE_PATTERN`; OPTIONS suggests the next.':
    'What the order is called; no two have the same. The next one is suggested.',
  'Who answers for it: an account or a group, by its key in `/api/user/owner/`; null for nobody, unless `PURCHASEORDER_REQUIRE_RESPONSIBLE` is on.':
    'Who answers for it: an account or a group; empty for nobody, where that is allowed.',
  'Whom to ask about it: a contact of the supplier; null for nobody.':
    'Whom to ask about it: a contact of the supplier; empty for nobody.',
  'Which of the addresses of the supplier the order is for; null for none. Whether it is one of them is not checked.':
    'Which of the addresses of the supplier the order is for; empty for none.',
  'The currency of the total; null or empty for that of the supplier, or without a supplier the default currency.':
    'The currency of the total; empty for that of the supplier, or without a supplier the default currency.',
  'Who the parts are ordered from: a company that is a supplier; null while that is not decided.':
    'Who the parts are ordered from: a company that is a supplier; empty while that is not decided.',
  'Another order, whose lines or extra lines are copied to the new one as the next two fields say; null for none. A change passes over it.':
    'Another order, whose lines or extra lines are copied to the new one as the next two fields say; empty for none.',
  'Whether the lines of `duplicate_order` are copied, with their prices and dates, as lines of which nothing has been received; by default they are not.':
    'Whether the lines of that other order are copied, with their prices and dates, as lines of which nothing has been received; by default they are not.',
  'Whether the extra lines of `duplicate_order` are copied; by default they are not.':
    'Whether the extra lines of that other order are copied; by default they are not.',
  'Any JSON value, for other programs; null for none.': 'For other programs; empty for none.',
  'The price of one, in `price_currency`, below zero for a discount; null while it is not known, which adds nothing to the total.':
    'The price of one, below zero for a discount; empty while it is not known, which adds nothing to the total.',
  'The day on which it came back; null before. Receiving sets it, and moves the item as well.':
    'The day on which it came back; empty before. Taking it back sets it, and moves the item as well.',
  'What becomes of the item: a number of `/api/order/ro-line/status/`, by default still pending.':
    'What becomes of the item; still pending unless something else is chosen.',
  'What is charged for it, below zero for what is paid back, in `price_currency`; null for nothing, which adds nothing to the total.':
    'What is charged for it, below zero for what is paid back; empty for nothing, which adds nothing to the total.',
  'The day by which it is to be settled, for lines that have none of their own; null for none.':
    'The day by which it is to be settled, for lines that have none of their own; empty for none.',
  'What the order is called; no two have the same. It fits the setting `RETURNORDER_REFERENCE_PATTERN`; OPTIONS suggests the next.':
    'What the order is called; no two have the same. The next one is suggested.',
  'Who answers for it: an account or a group, by its key in `/api/user/owner/`; null for nobody, unless `RETURNORDER_REQUIRE_RESPONSIBLE` is on.':
    'Who answers for it: an account or a group; empty for nobody, where that is allowed.',
  'Whom to ask about it: a contact of the customer; null for nobody.':
    'Whom to ask about it: a contact of the customer; empty for nobody.',
  'Which of the addresses of the customer the order is for; null for none. Whether it is one of them is not checked.':
    'Which of the addresses of the customer the order is for; empty for none.',
  'The currency of the total; null or empty for that of the customer, or without a customer the default currency.':
    'The currency of the total; empty for that of the customer, or without a customer the default currency.',
  'Who sends it back: a company that is a customer. It must be named; null once that company is deleted.':
    'Who sends it back: a company that is a customer.',
  'Whether the lines of `duplicate_order` are copied, with their prices and dates, as lines of which nothing has come back; by default they are not.':
    'Whether the lines of that other order are copied, with their prices and dates, as lines of which nothing has come back; by default they are not.',
  'The part that is ordered, one that can be sold and is not virtual; null for none. Stock can be put by only for a line with one.':
    'The part that is ordered, one that can be sold and is not virtual; empty for none. Stock can be put by only for a line with one.',
  'The price of one unit of the part, in `sale_price_currency`; null while it is not known, which adds nothing to the total.':
    'The price of one unit of the part; empty while it is not known, which adds nothing to the total.',
  'The day by which the goods are to be there, for lines that have none of their own; null for none.':
    'The day by which the goods are to be there, for lines that have none of their own; empty for none.',
  'What the order is called; no two have the same. It fits the setting `SALESORDER_REFERENCE_PATTERN`; OPTIONS suggests the next.':
    'What the order is called; no two have the same. The next one is suggested.',
  'Who answers for it: an account or a group, by its key in `/api/user/owner/`; null for nobody, unless `SALESORDER_REQUIRE_RESPONSIBLE` is on.':
    'Who answers for it: an account or a group; empty for nobody, where that is allowed.',
  'Who ordered: a company that is a customer. It must be named; null once that company is deleted.':
    'Who ordered: a company that is a customer.',
  'Whether the lines of `duplicate_order` are copied, with their prices and dates, as lines of which nothing has been allocated or shipped; by default they are not.':
    'Whether the lines of that other order are copied, with their prices and dates, as lines of which nothing has been allocated or shipped; by default they are not.',
  'The day on which it comes to the customer; null while that is not known.':
    'The day on which it comes to the customer; empty while that is not known.',
  'Where the account is reached; empty for nowhere, unless `LOGIN_MAIL_REQUIRED` or `LOGIN_SIGNUP_MAIL_RESTRICTION` asks for one.':
    'The mail address of the account; it may be empty unless the service asks for one.',
  'The name of the account, in whatever case. Empty or null: `email` says whose account it is.':
    'The name of the account, or its mail address.',
  'An address in place of `username`: of the account that has verified it, else of the only one that has it.':
    'A mail address in place of the name.',
  'The batch that it belongs to, empty or null for none. A new item that does not say gets a code by STOCK_BATCH_CODE_TEMPLATE.':
    'The batch that it belongs to; empty for none.',
  'The item in which it is installed, and therefore not in stock; null for none.':
    'The item in which it is installed, and therefore not in stock; empty for none.',
  'The build order that makes it, or made it: one of the same part; null for none.':
    'The build order that makes it, or made it: one of the same part; empty for none.',
  'The build order that used it up, so that it is not in stock; null for none.':
    'The build order that used it up, so that it is not in stock; empty for none.',
  'The customer who has it, so that it is not in stock; null for none.':
    'The customer who has it, so that it is not in stock; empty for none.',
  'Whether it is deleted when an action uses it up; never with a serial number. A new item that does not say takes it from STOCK_DELETE_DEPLETED_DEFAULT.':
    'Whether it is deleted once it is used up; never with a serial number.',
  'The last day on which it is good, null for ever. A new item without one keeps as long as its part says (`default_expiry`).':
    'The last day on which it is good, empty for ever. A new item without one keeps as long as its part says.',
  'Whether it is still being made, by the build order that `build` then names, and not in stock yet.':
    'Whether it is still being made by its build order, and not in stock yet.',
  'Where it is, not a structural location; null for no place. A new item that does not say goes to the default location of its part or category.':
    'Where it is, not a structural location; empty for no place. A new item that does not say goes to the default location of its part or category.',
  'Whose it is: an account or a group, by its key in `/api/user/owner/`; null for nobody in particular.':
    'Whose it is: an account or a group; empty for nobody in particular.',
  'What it is packed in, such as a reel or a tray; empty or null for nothing.':
    'What it is packed in, such as a reel or a tray; empty for nothing.',
  'The purchase order with which it came; null for none.': 'The purchase order with which it came; empty for none.',
  'How much it is, in units of the part; whole if that is trackable, 1 with a serial number. Of a new item packs, if `use_pack_size` says so.':
    'How much it is, in units of the part; whole if that is trackable, 1 with a serial number.',
  'The sales order with which it left, so that it is not in stock; null for none.':
    'The sales order with which it left, so that it is not in stock; empty for none.',
  'The serial number of a single unit, empty or null for none. It is unique among its part, its template and all variants, or everywhere with SERIAL_NUMBER_GLOBALLY_UNIQUE.':
    'The serial number of a single unit, empty for none. No other of the part, its template and its variants has it.',
  'Its state, by the numbers of `/api/stock/status/`. With 10, 50, 55 and 85 it can be in stock, with the others not.':
    'Its state. What is lost, destroyed or rejected is not in stock.',
  'The supplier part as which it was bought, one of the same part; null for none.':
    'The supplier part as which it was bought, one of the same part; empty for none.',
  'What one unit of the part was bought for, in `purchase_price_currency`, zero or more; null if not known. Of a new item the price of a pack, if `use_pack_size` says so.':
    'What one unit of the part was bought for, zero or more; empty if not known.',
  'The currency of `purchase_price`. Left out, the default currency of the service.': 'The currency of the price.',
  'As many as `quantity` says: one item for each. With commas or blanks between: numbers, and ranges such as `1-5`, `7+` (and on), `7+2` (and two more), `~` (the next free one).':
    'As many as the quantity: one item for each. With commas or blanks between: numbers, and ranges such as 1-5, 7+ (and on), 7+2 (and two more), ~ (the next free one).',
  'As many serial numbers as `quantity` says. With commas or blanks between: numbers, and ranges such as `1-5`, `7+` (and on), `7+2` (and two more), `~` (the next free one).':
    'As many serial numbers as the quantity. With commas or blanks between: numbers, and ranges such as 1-5, 7+ (and on), 7+2 (and two more), ~ (the next free one).',
  'The company that gets them, which must be a customer (`is_customer`).':
    'The company that gets them, which must be a customer.',
  'A file that goes with the result; answers show its address, null where there is none.': 'A file that goes with the result.',
  'When the test began; null if not known.': 'When the test began; empty if not known.',
  'When the test ended, not before it began; null if not known.': 'When the test ended, not before it began; empty if not known.',
  'The test, by the key of its template. It may be left out where `test` names it.':
    'The test; it may be left out where its name is given.',
  'The test by its name, in place of `template`: letters and digits count, in capitals or not.':
    'The test by its name: letters and digits count, in capitals or not.',
  'Its picture: PNG, JPEG, GIF or WebP, by multipart/form-data or as a data: URI; answers show its address. Null takes it away, in a form an empty text.':
    'Its picture: PNG, JPEG, GIF or WebP.',
  'The category into which it is sorted, which must not be structural. Null, of a part that lost its category, is shown but not taken.':
    'The category into which it is sorted, which must not be structural.',
  'What is done, in a line, which must be given. Null, of an imported one, is shown but not taken.': 'What is done, in a line.',
}
