/** Texts of notifications in German, by the text of the service, with names for the inserted values. */
export const notifications: Readonly<Record<string, string>> = {
  'New Purchase Order': 'Neue Bestellung',
  'New Sales Order': 'Neuer Verkaufsauftrag',
  'New Return Order': 'Neue Rücksendung',
  'New Build Order': 'Neuer Fertigungsauftrag',
  'You are responsible for the new purchase order {name}.': 'Um die neue Bestellung {name} kümmerst du dich.',
  'You are responsible for the new sales order {name}.': 'Um den neuen Verkaufsauftrag {name} kümmerst du dich.',
  'You are responsible for the new return order {name}.': 'Um die neue Rücksendung {name} kümmerst du dich.',
  'You are responsible for the new build order {name}.': 'Um den neuen Fertigungsauftrag {name} kümmerst du dich.',
  'Purchase Order assigned': 'Bestellung übertragen',
  'Sales Order assigned': 'Verkaufsauftrag übertragen',
  'Return Order assigned': 'Rücksendung übertragen',
  'Build Order assigned': 'Fertigungsauftrag übertragen',
  'You are now responsible for the purchase order {name}.': 'Um die Bestellung {name} kümmerst du dich von jetzt an.',
  'You are now responsible for the sales order {name}.': 'Um den Verkaufsauftrag {name} kümmerst du dich von jetzt an.',
  'You are now responsible for the return order {name}.': 'Um die Rücksendung {name} kümmerst du dich von jetzt an.',
  'You are now responsible for the build order {name}.': 'Um den Fertigungsauftrag {name} kümmerst du dich von jetzt an.',
  'Purchase Order put on hold': 'Bestellung zurückgestellt',
  'Sales Order put on hold': 'Verkaufsauftrag zurückgestellt',
  'Return Order put on hold': 'Rücksendung zurückgestellt',
  'Build Order put on hold': 'Fertigungsauftrag zurückgestellt',
  'The purchase order {name}, for which you are responsible, was put on hold.':
    'Die Bestellung {name}, um die du dich kümmerst, wurde zurückgestellt.',
  'The sales order {name}, for which you are responsible, was put on hold.':
    'Der Verkaufsauftrag {name}, um den du dich kümmerst, wurde zurückgestellt.',
  'The return order {name}, for which you are responsible, was put on hold.':
    'Die Rücksendung {name}, um die du dich kümmerst, wurde zurückgestellt.',
  'The build order {name}, for which you are responsible, was put on hold.':
    'Der Fertigungsauftrag {name}, um den du dich kümmerst, wurde zurückgestellt.',
  'Purchase Order canceled': 'Bestellung storniert',
  'Sales Order canceled': 'Verkaufsauftrag storniert',
  'Return Order canceled': 'Rücksendung storniert',
  'Build Order canceled': 'Fertigungsauftrag abgebrochen',
  'The purchase order {name}, for which you are responsible, was canceled.':
    'Die Bestellung {name}, um die du dich kümmerst, wurde storniert.',
  'The sales order {name}, for which you are responsible, was canceled.':
    'Der Verkaufsauftrag {name}, um den du dich kümmerst, wurde storniert.',
  'The return order {name}, for which you are responsible, was canceled.':
    'Die Rücksendung {name}, um die du dich kümmerst, wurde storniert.',
  'The build order {name}, for which you are responsible, was canceled.':
    'Der Fertigungsauftrag {name}, um den du dich kümmerst, wurde abgebrochen.',
  'Items Received': 'Eingegangen',
  'Items of the purchase order {name} were received.': 'Von der Bestellung {name} ist etwas eingegangen.',
  'Items of the return order {name} were received.': 'Von der Rücksendung {name} ist etwas eingegangen.',
  'Stock released by a count': 'Bestand durch eine Zählung freigegeben',
  'A count found less than was allocated to {name}. Released: {what}.':
    'Eine Zählung fand weniger, als für {name} reserviert war. Freigegeben: {what}.',
  'Overdue Purchase Order': 'Bestellung überfällig',
  'Overdue Sales Order': 'Verkaufsauftrag überfällig',
  'Overdue Return Order': 'Rücksendung überfällig',
  'Overdue Build Order': 'Fertigungsauftrag überfällig',
  'The purchase order {name} has been overdue since {day}.': 'Die Bestellung {name} ist seit {day} überfällig.',
  'The sales order {name} has been overdue since {day}.': 'Der Verkaufsauftrag {name} ist seit {day} überfällig.',
  'The return order {name} has been overdue since {day}.': 'Die Rücksendung {name} ist seit {day} überfällig.',
  'The build order {name} has been overdue since {day}.': 'Der Fertigungsauftrag {name} ist seit {day} überfällig.',
  'Stock required for build order': 'Bestand für einen Fertigungsauftrag fehlt',
  'Stock is short for the new build order {name}: {parts}.':
    'Für den neuen Fertigungsauftrag {name} ist zu wenig auf Lager von {parts}.',
  'Build order completed': 'Fertigungsauftrag abgeschlossen',
  'The build order {name} is complete.': 'Der Fertigungsauftrag {name} ist abgeschlossen.',
  'Low stock': 'Wird knapp',
  '{part} is low on stock: {quantity} in stock, minimum {least}.': 'Von {part} sind {quantity} auf Lager, weniger als {least}.',
  'Label printing failed': 'Etikett nicht gedruckt',
  'Report printing failed': 'Bericht nicht gedruckt',
  'Printing failed.': 'Es ließ sich nicht drucken.',
  'It is unknown whether it was printed; it is not printed again.':
    'Ob es gedruckt wurde, weiß niemand; es wird nicht noch einmal gedruckt.',
  'Stocktake report': 'Bericht einer Inventur',
  'The stocktake report of {parts} parts is ready.': 'Der Bericht einer Inventur von {parts} Teilen ist da.',
  'The stocktake report of 1 part is ready.': 'Der Bericht einer Inventur von einem Teil ist da.',
}
