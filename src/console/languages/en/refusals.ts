/**
 * What the service says of requests that it refuses, for people: its texts that speak to programs, by the text of the service, with a name
 * where it puts something in. All others are shown as they are.
 */
export const refusals: Readonly<Record<string, string>> = {
  'The object has changed since you read it: its ETag is no longer the one in If-Match.': 'It was changed since you read it.',
  'The request did not arrive in time (REQUEST_SECONDS).': 'The request did not arrive in time.',
  'This Idempotency-Key was used before with another request.': 'Something else was sent under this name before.',
  'A request with this Idempotency-Key is being carried out right now.': 'This is being done right now.',
  'Too many requests of this kind; Retry-After says when to try again.': 'That was too often in a row. Try again later.',
  'CSRF Failed: the request comes from another site.': 'The request comes from another site.',
  'It stopped half-way, and what there is of it stays: begin again with another DATA_DIR, or delete what is there.':
    'It stopped half-way, and what there is of it stays: delete that, or begin again with an empty service.',

  'The body is larger than this service accepts.': 'This is larger than the service takes.',

  // of values
  'This field is required.': 'This is missing.',
  'This field may not be null.': 'This must not be empty.',
  'This field may not be blank.': 'This must not be empty.',
  'This field cannot be blank.': 'This must not be empty.',
  'Not a valid string.': 'This is not a text.',
  'Must be a valid boolean.': 'Only yes or no fits here.',
  'A valid integer is required.': 'A whole number is needed here.',
  'A valid number is required.': 'A number is needed here.',
  'Enter a valid URL.': 'This is not the address of a page: it begins with https:// or http://.',
  'Enter true or false.': 'Only yes or no fits here.',
  'A NUL character is not allowed.': 'It has a character that is not allowed.',
  'Null characters are not allowed.': 'It has a character that is not allowed.',
  'Ensure this field has no more than {most} characters.': 'At most {most} characters.',
  'Ensure this value is greater than or equal to {least}.': 'At least {least}.',
  'Ensure this value is less than or equal to {most}.': 'At most {most}.',
  'Ensure this list has no more than {most} items.': 'At most {most} at once.',
  'Ensure that there are no more than {most} digits in total.': 'At most {most} digits in all.',
  'Ensure that there are no more than {most} decimal places.': 'At most {most} decimal places.',
  'Ensure that there are no more than {most} digits before the decimal point.': 'At most {most} digits before the decimal point.',
  'Ensure that there are no more than {most} digits before the decimal point, also in what follows from it.':
    'At most {most} digits before the decimal point, also in what follows from it.',
  '"{value}" is not a valid choice.': '“{value}” is not one of the choices.',
  'Select a valid choice. That choice is not one of the available choices.': 'That is not one of the choices.',
  'Invalid pk "{pk}" - object does not exist.': 'That does not exist (number {pk}).',
  'An object with these values already exists.': 'There is one like this already.',
  'The fields {fields} must make a unique set.': 'There is one like this already.',
  'Invalid quantity provided: {value}': 'This is not a quantity: {value}',
  'Invalid unit provided: {unit}': 'This is not a unit: {unit}',

  // of files and pictures
  'The submitted data was not a file: send it as multipart/form-data, or as a data: URI.': 'This is not a file.',
  'A file has at most {bytes} bytes here (MAX_FILE_BYTES).': 'A file has at most {bytes} bytes here.',
  'This service does not fetch pictures from other addresses (INVENTREE_DOWNLOAD_FROM_URL).':
    'This service fetches no pictures from other addresses.',

  // of stock and orders
  'Required stock has not been fully allocated': 'Not all that is needed is put by.',
  'Required build quantity has not been completed': 'Fewer are made than ordered.',
  'This build output is not fully allocated': 'Not all components that go into it are put by.',
  'The supplier part has a pack size defined, but flag use_pack_size not set':
    'What this supplier sells comes in packs: say whether the quantity is packs.',
  'Only {left} are still to come; allow_over_receipt takes more': 'Only {left} are still to come.',
  'The line lacks only {lacking}; allow_over_allocation puts by more': 'The line lacks only {lacking}.',

  // of codes and scans
  'No match found for barcode data': 'Nobody knows this code',
  'Further information required to receive line item': 'Something more has to be said for this',
  'Not enough information': 'Something more has to be said for this',
  'No match for supplier barcode': 'No supplier part fits this label',
  'Barcode does not match an existing stock item': 'This is the code of no stock item',
  'Barcode does not match a stock location': 'This is the code of no place',
  'Found multiple objects with the GTIN of the barcode': 'Several things have this GTIN',
  'Found multiple matching supplier parts for barcode': 'Several supplier parts fit this label',
  'Barcode matches existing item': 'This code stands for something already',
  'Barcode is a code of this service, for an object that does not exist':
    'This is a code of this service, but what it names does not exist',
  'Item has already been received': 'This label was received already',
  'Purchase order has not been placed': 'Nothing can come in for the order: it is not placed, or complete already',
  'Purchase order does not match supplier': 'The order is with another supplier',
  'Failed to find pending line item for supplier part': 'No line of the order waits for it',
  "No matching purchase order for '{number}'": 'There is no purchase order {number}',
  'The code names no purchase order': 'The label names no order: choose one',
  "Found multiple purchase orders matching '{number}'": 'Several purchase orders are called {number}: choose one',
  'Sales order is neither pending nor in progress': 'The order is not open any more',
  'Shipment has already been delivered': 'The shipment is with the customer already',
  'Line item does not match sales order': 'The line is of another order',
  'Stock item does not match line item': 'The item is of another part',
  'Insufficient stock available': 'Not enough of it is free',
  'No matching line item found': 'No line of the order needs this',
  'Multiple matching line items found': 'Several lines need this',
  'Shipment does not match sales order': 'The shipment is of another order',
  'Available quantity ({free}) exceeded': 'Only {free} of it are free.',
  'The stock item is not in stock': 'This item is not in stock',
  'The stock item is not of a part that the line takes': 'This item is not of a part that the line needs',
  'All of the stock item is put by already': 'All of this item is put by already',
  'No line of the build order takes this part': 'The build order does not need this part',
  'The build order has as much of this part as it takes': 'The build order has as much of this part as it needs',
  'What is begun of the build order has as much of this part as it takes':
    'Each output that is begun has as much of this part as it needs',
  'A tracked part goes into an output of the build order: none is begun yet':
    'This part goes into a single output of the build order: begin one first',
  'Build output must point to the same build': 'The output is of another build order',
  'You do not have the required permissions for {kind}': 'You may not do this',
  'A scan cannot be in the future.': 'The clock of this device is fast.',
  'A scan is sent within {days} days.': 'The scan is older than {days} days.',
  'Stock item {pk} has a newer entry in its history ({entry})': 'Something happened to stock item {pk} since then.',
  'Allocation {pk} is not there any more': 'It is not put by any more.',
  'Allocation {pk} has left, or its order is closed': 'It has left already, or the order is closed.',
  'Allocation {pk} is of {now}, no longer {before}': 'By now {now} of it are put by, no longer {before}.',
  'Allocation {pk} is for {what}, no longer {before}': 'It is put by for something else by now.',
}
