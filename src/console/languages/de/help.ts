// Over 400 lines: it has a line for each text.
/**
 * Help of fields: the texts of the OpenAPI document that forms show, in German. The key is the text of the document, so that a text that
 * was changed there is missing here, which service-texts.test.ts finds.
 */
export const help: Readonly<Record<string, string>> = {
  'The name or the email address of the account.': 'Der Name oder die E-Mail-Adresse des Kontos.',
  'An email address instead of the name.': 'Eine E-Mail-Adresse statt des Namens.',
  'The password. Leading and trailing spaces are ignored.': 'Das Passwort. Leerzeichen am Anfang und Ende werden ignoriert.',
  'The code of the authenticator or a recovery code, if the account has a second factor.':
    'Der Code der Authenticator-App oder ein Wiederherstellungscode, wenn das Konto einen zweiten Faktor hat.',
  'The password of the account. An account without a password needs a session instead.':
    'Das Passwort des Kontos. Ein Konto ohne Passwort braucht stattdessen eine Sitzung.',
  'The six digits that the authenticator shows. A clock difference of 30 seconds is allowed.':
    'Die sechs Ziffern, die die Authenticator-App zeigt, höchstens 30 Sekunden zu früh oder zu spät.',
  'The email address of the account.': 'Die E-Mail-Adresse des Kontos.',
  'The name to sign in with: 1 to 150 Latin letters, digits and any of @ . + - _. It must be unique, ignoring case and accents.':
    'Der Name zum Anmelden: 1 bis 150 lateinische Buchstaben, Ziffern und @ . + - _. Er ist eindeutig, ohne Rücksicht auf Groß- und Kleinschreibung und Akzente.',
  '8 to 128 characters, not only digits, not a common password, and not similar to the name or address of the account.':
    '8 bis 128 Zeichen, nicht nur Ziffern, kein gängiges Passwort und nicht ähnlich wie Name oder Adresse des Kontos.',
  'The password again.': 'Das Passwort noch einmal.',
  'The email address of the account; it may be empty unless the service requires one.':
    'Die E-Mail-Adresse des Kontos; sie darf leer sein, wenn der Dienst keine verlangt.',
  'The setup code from the startup log, which makes this account a superuser while there is none; empty for an ordinary account.':
    'Der Code aus dem Startprotokoll: Er gibt diesem Konto alle Rechte, solange es keines damit gibt. Leer für ein gewöhnliches Konto.',
  'Whether variants of the component may be used instead.': 'Ob stattdessen Varianten des Bauteils verwendet werden können.',
  'Whether all variants of the assembly inherit the line.': 'Ob alle Varianten der Baugruppe die Zeile erben.',
  'A note on the line; may be empty.': 'Eine Notiz zur Zeile; darf leer sein.',
  'Whether the assembly can be built without it. Automatic allocation skips optional components by default.':
    'Ob die Baugruppe ohne das Bauteil gefertigt werden kann. Optionale Bauteile werden nicht automatisch reserviert.',
  'Whether it is consumed without being counted: stock is never allocated for it.':
    'Ob es verbraucht wird, ohne gezählt zu werden: Bestand wird dafür nie reserviert.',
  'The expected loss per build order: a quantity, in units of the component, or a percentage of the used quantity, such as 5 %; empty for none.':
    'Was beim Fertigen verloren geht: je Fertigungsauftrag eine Zahl, in der Einheit des Bauteils, oder ein Anteil wie 5 %; leer für nichts.',
  'The assembly; the part must be an assembly.': 'Das Teil, zu dem die Stückliste gehört; es muss eine Baugruppe sein.',
  'The quantity of the component in one unit of the assembly, above zero, in units of the component.':
    'Die Menge des Bauteils je Baugruppe, größer als null, in der Einheit des Bauteils.',
  'The designators in the assembly, such as R1, R2; may be empty.':
    'Die Referenzen in der Baugruppe, etwa R1, R2; darf leer sein.',
  'The component; the part must be a component.': 'Das Bauteil; das Teil muss ein Bauteil sein.',
  'Whether the line is validated and unchanged since then; it cannot be set here.':
    'Ob die Zeile geprüft und seitdem unverändert ist; hier nicht änderbar.',
  'A short description; may be empty.': 'Eine kurze Beschreibung; darf leer sein.',
  'The batch code of the outputs, unless an output has its own; empty for none.':
    'Die Charge der Erzeugnisse, wenn ein Erzeugnis keine eigene hat; leer für keine.',
  'The day on which it was completed or cancelled; empty before.':
    'Der Tag, an dem er abgeschlossen oder abgebrochen wurde; vorher leer.',
  'The destination location of outputs; empty for none. By default, the default location of the part.':
    'Der Lagerort, an den das Gefertigte kommt; leer für keinen. Für einen neuen Auftrag der Ort, an den neuer Bestand des Teils kommt.',
  'The parent build order, for which this one builds a component; empty for none.':
    'Der übergeordnete Fertigungsauftrag, für den dieser ein Bauteil fertigt; leer für keinen.',
  'The part to build: an active assembly that is not virtual. It cannot be changed later.':
    'Das zu fertigende Teil: eine aktive Baugruppe, die nicht virtuell ist. Später nicht änderbar.',
  'The project code; empty for none.': 'Der Projektcode; leer für keinen.',
  'The unique reference of the order. The next one is suggested.':
    'Die eindeutige Referenz des Auftrags. Die nächste wird vorgeschlagen.',
  'The sales order that it builds for; empty for none.': 'Der Verkaufsauftrag, für den gefertigt wird; leer für keinen.',
  'The quantity to build, in units of the part: at least 1, and whole if the part or a component is trackable.':
    'Die zu fertigende Menge, in der Einheit des Teils: mindestens 1, und ganze Stück, wenn das Teil oder ein Bauteil Seriennummern hat.',
  'The target date of completion; empty for none.': 'Das Zieldatum der Fertigstellung; leer für keines.',
  'The source location of components, including the locations below it; empty for all.':
    'Der Lagerort, aus dem seine Bauteile kommen, auch aus den Orten darin; leer für überall her.',
  'Notes in Markdown, with line breaks.': 'Notizen in Markdown; Zeilenumbrüche bleiben.',
  'A link to an external page, with http, https, ftp or ftps; empty for none.':
    'Die Adresse einer Seite darüber außerhalb des Dienstes, mit http, https, ftp oder ftps; leer für keine.',
  'The account that created it; empty for none.': 'Das Konto, das ihn angelegt hat; leer für keines.',
  'The responsible user or group; empty for none, if settings allow that.':
    'Wer dafür verantwortlich ist: ein Konto oder eine Gruppe; leer für niemanden, wo das erlaubt ist.',
  'The priority; a higher number is more urgent.': 'Die Priorität; eine höhere Zahl ist dringender.',
  'Allocate only stock in this location and below it; empty for all stock.':
    'Nur Bestand an diesem Ort und den Orten darin wird reserviert; leer für überall her.',
  'Stock in this location and below it is not allocated; empty for none.':
    'Bestand an diesem Ort und den Orten darin wird nicht reserviert; leer für keinen.',
  'Whether stock items are interchangeable; otherwise lines with several suitable items are skipped.':
    'Ob Lagerposten austauschbar sind; sonst werden Zeilen mit mehreren passenden Lagerposten übersprungen.',
  'Whether substitutes are allocated too.': 'Ob auch Ersatzteile reserviert werden.',
  'Whether optional components are allocated too.': 'Ob auch optionale Bauteile reserviert werden.',
  'Whether allocated stock is consumed; otherwise it is released.':
    'Ob reservierter Bestand verbraucht wird; sonst wird er freigegeben.',
  'Whether incomplete outputs are deleted; otherwise they remain unchanged.':
    'Ob unfertige Erzeugnisse gelöscht werden; sonst bleiben sie unverändert.',
  'The destination location of the outputs.': 'Der Zielort der Erzeugnisse.',
  'The status, or a custom state, of the completed outputs.':
    'Der Status der abgeschlossenen Erzeugnisse, oder ein eigener Status.',
  'Whether to complete outputs whose tracked components are not fully allocated.':
    'Ob auch Erzeugnisse abgeschlossen werden, deren Bauteile mit Seriennummern nicht vollständig reserviert sind.',
  'A note for the history.': 'Eine Notiz für den Verlauf.',
  'The quantity to produce, above zero, in units of the part.':
    'Die zu fertigende Menge, größer als null, in der Einheit des Teils.',
  'The batch code; empty for that of the build order, otherwise the next code.':
    'Die Charge; leer für die des Fertigungsauftrags, sonst die nächste.',
  'As many serial numbers as the quantity; required for a trackable part. Separated by commas or spaces: numbers, and ranges such as 1-5, 7+ (and following), 7+2 (and two more), ~ (the next unused one).':
    'So viele Seriennummern, wie die Menge sagt; ein Teil mit Seriennummern braucht sie. Mit Kommas oder Leerzeichen dazwischen: Nummern, Bereiche wie 1-5, 7+ (und weiter), 7+2 (und zwei mehr), ~ (die nächste freie).',
  'The location of the outputs; by default the destination of the build order, otherwise the default location of the part.':
    'Der Lagerort der Erzeugnisse; leer für den Zielort des Fertigungsauftrags, sonst den Standardlagerort des Teils.',
  'Whether to allocate the tracked components whose serial number equals that of the output, if their status is OK and they are not expired.':
    'Ob für jede Seriennummer die Bauteile mit derselben Nummer reserviert werden, wenn ihr Status OK ist und sie nicht abgelaufen sind.',
  'What to do with stock allocated beyond the quantity of a line: reject, consume or release it.':
    'Was mit zu viel reserviertem Bestand geschieht: ablehnen, verbrauchen oder freigeben.',
  'Whether to complete it although a line has too little allocated.':
    'Ob abgeschlossen wird, obwohl für eine Zeile weniger reserviert ist, als sie braucht.',
  'Whether to complete it although the completed quantity is too small.':
    'Ob abgeschlossen wird, obwohl weniger gefertigt als bestellt wurde.',
  'The name of the company. The combination of name and email address is unique.':
    'Der Name der Firma. Name und E-Mail-Adresse zusammen sind eindeutig.',
  'A short description, such as its products; may be empty.': 'Eine kurze Beschreibung, etwa ihrer Produkte; darf leer sein.',
  'Its website, with http or https; empty for none.': 'Die Adresse ihrer Website, mit http oder https; leer für keine.',
  'Its phone number, as free text; empty for none.': 'Ihre Telefonnummer, als freier Text; leer für keine.',
  'Its email address; empty for none.': 'Ihre E-Mail-Adresse; leer für keine.',
  'The currency of its quotes, and the default currency of its orders. The default is the default currency.':
    'Die Währung, in der sie anbietet; darin werden Bestellungen bei ihr summiert, die keine andere nennen. Üblich ist die Standardwährung.',
  'The main contact person, as free text; empty for none. Use contacts for people with their own phone number or email address.':
    'Der wichtigste Ansprechpartner, als freier Text; leer für keinen. Lege Personen mit eigener Nummer oder Adresse als Ansprechpartner an.',
  'Its image: PNG, JPEG, GIF or WebP.': 'Das Bild: PNG, JPEG, GIF oder WebP; leer nimmt es weg.',
  'Whether the company is in use. Lists can be filtered by it; it restricts nothing.':
    'Ob die Firma in Gebrauch ist. Listen lassen sich danach filtern; eingeschränkt wird nichts.',
  'Whether it is a customer. Only customers can be assigned stock.':
    'Ob sie Kunde ist. Nur Kunden kann Bestand zugewiesen werden.',
  'Whether it is a manufacturer. Only manufacturers can have manufacturer parts.':
    'Ob sie Hersteller ist. Nur Hersteller können Herstellerteile haben.',
  'Whether it is a supplier. Only suppliers can have supplier parts and purchase orders.':
    'Ob sie Lieferant ist. Nur Lieferanten können Lieferantenteile und Bestellungen haben.',
  'The URL of an image on the public internet, which is downloaded and stored as its image, if the service allows that.':
    'Die Adresse eines Bildes im öffentlichen Internet: Es wird geholt und als Bild behalten, wenn das hier erlaubt ist.',
  'The number of packs available at the supplier.': 'Die Anzahl der Packungen, die beim Lieferanten verfügbar sind.',
  "The supplier's description; empty for none.": 'Die Beschreibung des Lieferanten; leer für keine.',
  'Whether the supplier part is in use. Lists can be filtered by it; it restricts nothing.':
    'Ob das Lieferantenteil in Gebrauch ist. Listen lassen sich danach filtern; eingeschränkt wird nichts.',
  'The manufacturer part that is delivered; empty if it is unknown or varies.':
    'Das Herstellerteil, das geliefert wird; leer, wenn es unbekannt ist oder wechselt.',
  'A short note, such as on delivery; empty for none.': 'Eine kurze Notiz, etwa zur Lieferung; leer für keine.',
  'The packaging, such as reel or bag; empty for none.': 'Die Verpackung, etwa Rolle oder Beutel; leer für keine.',
  'The contents of one pack, in the unit of the part or one that converts to it, such as 100 or 5 m. Empty means 1.':
    'Was eine Packung enthält, in der Einheit des Teils oder einer, die sich umrechnen lässt, etwa 100 oder 5 m. Leer heißt 1.',
  'The part; it must be purchasable.': 'Das Teil; es muss einkaufbar sein.',
  "The supplier's part number (SKU), unique for each part and supplier.":
    'Die Teilenummer des Lieferanten (SKU), eindeutig je Teil und Lieferant.',
  'The supplier; the company must be a supplier.': 'Der Lieferant; die Firma muss Lieferant sein.',
  'The supplier part of the price.': 'Das Lieferantenteil des Preises.',
  'The minimum number of packs for this price. Below the lowest price break, the price of the lowest applies.':
    'Ab so vielen Packungen gilt dieser Preis. Unter der kleinsten Menge eines Lieferantenteils gilt deren Preis auch.',
  'The price of one pack, zero or more.': 'Der Preis einer Packung, null oder mehr.',
  'The currency of the price. The price is converted to the currency of the order line. The default is the default currency.':
    'Die Währung des Preises; er wird in die der Position umgerechnet. Üblich ist die Standardwährung.',
  'Whether the caller has read it.': 'Ob du sie gelesen hast.',
  'The order of the line.': 'Die Bestellung oder der Auftrag, zu dem die Position gehört.',
  'A description of the charge or discount; may be empty.': 'Eine Beschreibung des Betrags oder Nachlasses; darf leer sein.',
  'The quantity; a negative quantity reduces the total.': 'Die Menge; eine negative Menge verringert die Summe.',
  'An external reference, such as a waybill number; may be empty.':
    'Eine externe Referenz, etwa die Nummer eines Frachtbriefs; darf leer sein.',
  'A note on the line, as plain text; may be empty.': 'Eine Notiz zur Position, als einfacher Text; darf leer sein.',
  'For other programs; empty for none.': 'Ein JSON-Wert für andere Programme; leer für keinen.',
  'The unit price, negative for a discount; empty if unknown, which adds nothing to the total.':
    'Der Preis für eins, unter null für einen Nachlass; leer, solange er nicht bekannt ist: Dann zählt er nicht zur Summe.',
  'The currency of the price. The total of the order is converted from it. The default is the default currency.':
    'Die Währung des Preises. Für die Summe des Auftrags wird umgerechnet. Üblich ist die Standardwährung.',
  'The number of packs ordered. The supplier part has the pack size.':
    'Die Anzahl der bestellten Packungen. Das Lieferantenteil hat die Packungsmenge.',
  'A reference within the order, such as a designator; may be empty.':
    'Eine Referenz innerhalb der Bestellung, etwa eine Bauteilreferenz; darf leer sein.',
  'The supplier part; empty for none. A line needs one to be received.':
    'Das Lieferantenteil, das bestellt ist; leer für keines. Nur eine Position mit einem kann eingehen.',
  'The price of one pack; empty if unknown, which adds nothing to the total. A negative price reduces the total, and stock received for it gets no price.':
    'Der Preis einer Packung; leer, solange er nicht bekannt ist: Dann zählt er nicht zur Summe. Unter null wird er abgezogen, und was eingeht, bekommt keinen Preis.',
  'Whether the price comes from the price breaks of the supplier part, if it has any, instead of the given price.':
    'Ob der Preis aus den Staffelpreisen des Lieferantenteils kommt, wenn es welche hat, gleich was als Preis dasteht. Es wird nicht gespeichert.',
  'The default destination for receiving; empty for that of the order, otherwise the default location of the part.':
    'Der Standardzielort beim Wareneingang; leer für den der Bestellung, sonst den Standardlagerort des Teils.',
  'The target date of the line; empty for that of the order.':
    'Der Tag, bis zu dem die Position erwartet wird; leer für den Termin des Auftrags.',
  'Whether a new line may be merged into a matching existing line: its quantity is added; its own price, reference, notes and link are dropped. The field is not stored, and an update ignores it.':
    'Ob eine neue Position zu einer vorhandenen dazugezählt werden darf. Ihre Menge kommt dann dazu; ihr eigener Preis, Referenz, Bemerkung und Link entfallen. Es wird nicht gespeichert, und beim Ändern zählt es nicht.',
  'The creation date, by default today (UTC); empty for none.':
    'Der Tag, an dem sie geschrieben wurde, sonst heute (UTC); leer für keinen.',
  'The day by which the goods are expected; it applies to lines without a target date. Empty for none.':
    'Der Tag, bis zu dem die Ware erwartet wird, für Positionen ohne eigenen Termin; leer für keinen.',
  'The contact person at the supplier; empty for none.': 'Der Ansprechpartner beim Lieferanten; leer für keinen.',
  'The address of the supplier to use; empty for none.': 'Die Anschrift des Lieferanten; leer für keine.',
  'The currency of the total; empty for that of the supplier, or without a supplier the default currency.':
    'Die Währung der Summe; leer für die des Lieferanten, ohne Lieferanten die Standardwährung.',
  'The company that delivers the order.': 'Die Firma, die liefert.',
  'The reference of the supplier; empty if unknown.': 'Die Referenz des Lieferanten; leer, wenn unbekannt.',
  'The order to copy lines or extra lines from, as the next two fields say; empty for none.':
    'Ein anderer Auftrag, dessen Positionen oder Zusatzpositionen in den neuen kopiert werden, wie die nächsten zwei Felder sagen; leer für keinen. Beim Ändern zählt es nicht.',
  'Whether to copy the lines of that order with their prices and dates, but as lines of which nothing has been received. Off by default.':
    'Ob die Positionen des anderen Auftrags kopiert werden, mit Preisen und Terminen, als Positionen, von denen noch nichts eingegangen ist; sonst nicht.',
  'Whether to copy the extra lines of that order. Off by default.':
    'Ob die Zusatzpositionen des anderen Auftrags kopiert werden; sonst nicht.',
  'The day by which it should be settled; it applies to lines without a target date. Empty for none.':
    'Der Tag, bis zu dem sie erledigt sein soll, für Positionen ohne eigenen Termin; leer für keinen.',
  'The contact person at the customer; empty for none.': 'Der Ansprechpartner beim Kunden; leer für keinen.',
  'The address of the customer to use; empty for none.': 'Die Anschrift des Kunden; leer für keine.',
  'The currency of the total; empty for that of the customer, or without a customer the default currency.':
    'Die Währung der Summe; leer für die des Kunden, ohne Kunden die Standardwährung.',
  'The company that returns the goods; it must be a customer.': 'Die Firma, die die Ware zurücksendet; sie muss Kunde sein.',
  'The reference of the customer; empty if unknown.': 'Die Referenz des Kunden; leer, wenn unbekannt.',
  'The quantity ordered, in units of the part.': 'Die bestellte Menge, in der Einheit des Teils.',
  'A reference within the order; may be empty.': 'Eine Referenz innerhalb des Auftrags; darf leer sein.',
  'The part ordered, salable and not virtual; empty for none. Only a line with a part can have stock allocated.':
    'Das bestellte Teil: eines, das verkauft werden kann und nicht virtuell ist; leer für keines. Nur für eine Position mit einem kann Bestand reserviert werden.',
  'The price of one unit of the part; empty if unknown, which adds nothing to the total.':
    'Der Preis für eine Einheit des Teils; leer, solange er nicht bekannt ist: Dann zählt er nicht zur Summe.',
  'The day by which the goods should be delivered; it applies to lines without a target date. Empty for none.':
    'Der Tag, bis zu dem die Ware dort sein soll, für Positionen ohne eigenen Termin; leer für keinen.',
  'The company that ordered; it must be a customer.': 'Die Firma, die bestellt hat; sie muss Kunde sein.',
  'Whether to copy the lines of that order with their prices and dates, but as lines of which nothing has been allocated or shipped. Off by default.':
    'Ob die Positionen des anderen Auftrags kopiert werden, mit Preisen und Terminen, als Positionen, für die noch nichts reserviert oder versandt ist; sonst nicht.',
  'The day on which it was issued; empty before.': 'Der Tag, an dem der Auftrag erteilt wurde; vorher leer.',
  'The day on which it was completed; empty before.': 'Der Tag, an dem der Auftrag abgeschlossen wurde; vorher leer.',
  'The key of a status or custom state of the completed outputs, instead of the status.':
    'Die Nummer eines Status oder eigenen Zustands der fertigen Erzeugnisse, anstelle des Status.',
  'The shipping date, by default today (UTC).': 'Das Versanddatum, sonst heute (UTC).',
  'The delivery date; empty if unknown.': 'Das Lieferdatum; leer, wenn unbekannt.',
  'The tracking number of the carrier; omit it to leave it unchanged.':
    'Die Sendungsnummer des Versanddienstes; leer bleibt sie unverändert.',
  'The invoice number; omit it to leave it unchanged.': 'Die Nummer der Rechnung dafür; leer bleibt sie, wie sie ist.',
  'A link to an external page; omit it to leave it unchanged.': 'Ein Link zu einer externen Seite; leer bleibt er unverändert.',
  'Whether it is in use. Only an inactive part can be deleted; stock cannot be converted to one.':
    'Ob es in Gebrauch ist. Nur ein inaktives kann gelöscht werden; kein Bestand wird in ein inaktives gewandelt.',
  'Whether it can be built from other parts, by a BOM.': 'Ob es aus anderen Teilen nach einer Stückliste gefertigt wird.',
  'The category, which must not be structural.':
    'Die Kategorie, in die es gehört; sie darf nicht nur Kategorien enthalten. Leer ist es nur, wenn es seine Kategorie verloren hat.',
  'Whether it can be a component of other parts.': 'Ob andere Teile daraus gefertigt werden.',
  'The account that created it; for a new part always the caller.':
    'Das Konto, das es angelegt hat: bei einem neuen immer deines. Später kann ein anderes dastehen, oder keines.',
  'The shelf life, in days: sets the expiry date of new stock. 0 for unlimited.':
    'Wie viele Tage neuer Bestand haltbar ist, für den kein Tag genannt wird. 0: unbegrenzt.',
  'The default location for new stock; empty for none.': 'Der Standardlagerort für neuen Bestand; leer für keinen.',
  'The default supplier part; empty for none.': 'Das Standardlieferantenteil; leer für keines.',
  'A short description; empty for none.': 'Eine kurze Beschreibung; leer für keine.',
  'The internal part number; empty for none. Settings may require a pattern and a unique number.':
    'Die interne Teilenummer (IPN); leer für keine. Einstellungen können ein Muster und eindeutige Nummern verlangen.',
  'Whether it can have variants.': 'Ob es Varianten haben kann.',
  'Further search keywords; empty for none.': 'Weitere Wörter, unter denen die Suche es findet; leer für keine.',
  'The day of the last stocktake; empty if never.': 'Der Tag, an dem zuletzt all sein Bestand gezählt wurde; leer für nie.',
  'The minimum stock, variants included and in units of the part. Below it, the part has low stock. 0 for none.':
    'Der Mindestbestand, mit Varianten, in der Einheit des Teils. Darunter hat das Teil niedrigen Bestand. 0 für keinen.',
  'The name of the part. The combination of name, IPN and revision is unique.':
    'Der Name des Teils. Name, IPN und Revision zusammen sind eindeutig.',
  'Whether it can be purchased. Only purchasable parts can have supplier parts.':
    'Ob es einkaufbar ist. Nur einkaufbare Teile können Lieferantenteile haben.',
  'The revision, such as C or 2.1; empty for none.': 'Die Revision, etwa C oder 2.1; leer für keine.',
  'Whether it can be sold. Only stock of salable parts can be assigned to customers.':
    'Ob es verkaufbar ist. Nur Bestand verkaufbarer Teile kann Kunden zugewiesen werden.',
  'Whether the caller is subscribed to the part itself, not to a template or category. Changing it subscribes or unsubscribes; it is ignored for a new object.':
    'Ob du das Teil selbst beobachtest, nicht über eine Vorlage oder Kategorie. Ändern beginnt oder beendet es; bei einem neuen zählt es nicht.',
  'Whether its units are tracked individually: quantities are whole, and units can have serial numbers.':
    'Ob jedes Stück für sich verfolgt wird: Mengen sind ganz, Seriennummern möglich.',
  'The unit of all its quantities, such as m or kg, or a custom unit; empty for pieces.':
    'Die Einheit aller seiner Mengen: eine physikalische oder eine eigene; leer für Stück.',
  'The template that it is a variant of; empty for none. A template and its variants share one range of serial numbers.':
    'Die Vorlage, deren Variante es ist; leer für keine. Eine Vorlage und ihre Varianten haben gemeinsame Seriennummern.',
  'Whether it cannot be stored, such as software. A virtual part has no stock.':
    'Ob es sich nicht lagern lässt, wie Software: Es hat keinen Bestand.',
  'The responsible user or group; empty for none.':
    'Wer dafür verantwortlich ist: ein Konto oder eine Gruppe; leer für niemanden.',
  'Whether a new part gets the parameters of its category and the categories above it, with their default values.':
    'Ob ein neues Teil die Parameter bekommt, die seine Kategorie und die darüber vorgeben, mit ihren Werten.',
  'The file name of the image of another part, to use for this part too.':
    'Der Dateiname des Bildes irgendeines Teils: Es wird auch das Bild von diesem.',
  'The name of the category, unique within its parent category.':
    'Der Name der Kategorie, eindeutig in ihrer übergeordneten Kategorie.',
  'The default location for new stock of its parts; empty for that of the parent category.':
    'Wohin neuer Bestand ihrer Teile kommt, die keinen eigenen Ort haben; leer für den Ort, den die Kategorie darüber nennt.',
  'Keywords that forms suggest for new parts in it; empty for none.':
    'Stichworte, die für neue Teile darin vorgeschlagen werden; leer für keine.',
  'The parent category; empty at the top.': 'Die übergeordnete Kategorie; leer auf der obersten Ebene.',
  'The names from the top down to it, joined by slashes, shortened in the middle beyond 250 characters. It is derived from the names and cannot be set.':
    'Die Namen von oben bis hierher, mit Schrägstrichen dazwischen, über 250 Zeichen in der Mitte gekürzt. Es folgt aus den Namen.',
  'Whether the caller is subscribed to the category itself, not to one above it. Changing it subscribes or unsubscribes; it is ignored for a new object.':
    'Ob du die Kategorie selbst beobachtest, nicht über eine darüber. Ändern beginnt oder beendet es; bei einer neuen zählt es nicht.',
  'Whether it only groups other categories. A structural category cannot hold parts, and a category with parts cannot become structural.':
    'Ob sie nur andere Kategorien gruppiert. Eine strukturelle Kategorie enthält keine Teile, und eine mit Teilen kann nicht strukturell werden.',
  'The name of its icon; empty for none.': 'Der Name des Symbols, das für sie gezeigt wird; leer für keines.',
  'The part of the parameter.': 'Das Teil des Parameters.',
  'The parameter template.': 'Die Parametervorlage.',
  'The value as entered: 4k7, 4.7 kohm or 4700 for a parameter in ohm, a choice, or any text; yes or no for a checkbox.':
    'Der Wert, wie man ihn schreibt: 4k7, 4.7 kohm oder 4700 bei einer Vorlage in Ohm, eine der Möglichkeiten, oder ein Text. Bei einem Häkchen true oder false.',
  'The value as a number in the units of the parameter. It is derived from the value and cannot be set.':
    'Der Wert als Zahl in der Einheit der Vorlage, bei einem Häkchen 1 oder 0; leer, wenn er keine ist. Er folgt aus dem Wert.',
  'The batch code; empty for none.': 'Die Charge, zu der er gehört, leer für keine.',
  'The item that contains it, so that it is not in stock; empty for none.':
    'Der Lagerposten, in den er eingebaut ist, so dass er nicht auf Lager ist; leer für keinen.',
  'The build order that produces or produced it, of the same part; empty for none.':
    'Der Fertigungsauftrag, aus dem er kommt: einer für dasselbe Teil; leer für keinen.',
  'The build order that consumed it, so that it is not in stock; empty for none.':
    'Der Fertigungsauftrag, der ihn verbraucht hat, so dass er nicht auf Lager ist; leer für keinen.',
  'The customer who has it, so that it is not in stock; empty for none.':
    'Der Kunde, der ihn hat, so dass er nicht auf Lager ist; leer für keinen.',
  'Whether it is deleted when its quantity becomes zero; never with a serial number.':
    'Ob er gelöscht wird, wenn er aufgebraucht ist; nie mit Seriennummer.',
  'The expiry date; empty for none. A new item without one gets it from the shelf life of its part.':
    'Das Ablaufdatum; leer für keines. Ein neuer Lagerposten ohne Datum erhält es aus der Haltbarkeit seines Teils.',
  'Whether it is in production, and so not in stock yet.':
    'Ob er noch gefertigt wird, von seinem Fertigungsauftrag, und noch nicht auf Lager ist.',
  'The location, not a structural one; empty for none. By default, a new item goes to the default location of its part or category.':
    'Wo er ist, nicht an einem Ort, der nur Orte enthält; leer für keinen Ort. Ein neuer, für den nichts gesagt wird, kommt an den üblichen Lagerort seines Teils oder seiner Kategorie.',
  'The user or group that owns it; empty for none.': 'Der Benutzer oder die Gruppe, der er gehört; leer für keinen.',
  'The packaging, such as a reel or a tray; empty for none.': 'Die Verpackung, etwa Rolle oder Schale; leer für keine.',
  'The part; it must not be virtual.': 'Das Teil, von dem er ist; kein virtuelles.',
  'The purchase order that it was received from; empty for none.': 'Die Bestellung, mit der er eingegangen ist; leer für keine.',
  'The quantity, in units of the part; whole for a trackable part, 1 with a serial number.':
    'Wie viel es ist, in der Einheit des Teils; ganze Stück, wenn es Seriennummern hat, 1 mit einer. Bei einem neuen Lagerposten Packungen, wenn das Häkchen es sagt.',
  'The sales order that it was shipped with, so that it is not in stock; empty for none.':
    'Der Verkaufsauftrag, mit dem er versandt wurde, so dass er nicht auf Lager ist; leer für keinen.',
  'The serial number of a single unit; empty for none. It is unique within the part, its template and its variants.':
    'Die Seriennummer eines einzelnen Stücks, leer für keine. Es gibt sie nur einmal unter dem Teil, seiner Vorlage und allen Varianten.',
  'Whether it is built outside of the workshop, such as by a supplier.':
    'Ob es außer Haus gefertigt wird, etwa von einem Lieferanten.',
  'The day on which work is to start, not after the target date; empty for none.':
    'An welchem Tag die Arbeit beginnen soll, spätestens am Termin; leer für keinen.',
  'The quantity that the build order has consumed or installed in its outputs, in units of the component; it is not needed again.':
    'Wie viel der Auftrag schon verbraucht oder eingebaut hat, in der Einheit des Bauteils; es wird nicht noch einmal gebraucht.',
  'The key of a custom state of its status; empty for none. It ends when the status changes.':
    'Der Schlüssel eines eigenen Status; leer für keinen. Er endet, wenn sich der Status ändert.',
  'The key of its custom state, otherwise that of its status. A custom state sets the status to its logical status; empty or a status ends it.':
    'Die Nummer seines eigenen Zustands, sonst die seines Status. Ein eigener Zustand setzt auch den Status, zu dem er gehört; leer oder ein Status beendet ihn.',
  'The status. Lost, destroyed and rejected stock is not in stock.':
    'Der Status. Verlorener, zerstörter und abgelehnter Bestand ist nicht auf Lager.',
  'The supplier part it was purchased as, of the same part; empty for none.':
    'Als welches Lieferantenteil er gekauft wurde, eines desselben Teils; leer für keines.',
  'The purchase price of one unit of the part, zero or more; empty if unknown.':
    'Wofür eine Einheit des Teils gekauft wurde, null oder mehr; leer, wenn das nicht bekannt ist. Bei einem neuen Lagerposten der Preis einer Packung, wenn das Häkchen es sagt.',
  'The currency of the price.': 'Die Währung des Einkaufspreises. Leer für die Standardwährung des Dienstes.',
  'Whether quantity and price of a new item are per pack of its supplier part. Required if a pack is not 1 unit. Ignored by an update.':
    'Ob Menge und Preis eines neuen Postens die von Packungen seines Lieferantenteils sind. Es muss gesagt werden, wenn eine Packung nicht 1 Einheit ist. Beim Ändern zählt es nicht.',
  'One serial number for each unit of the quantity. Separated by commas or spaces: numbers, and ranges such as 1-5, 7+ (and following), 7+2 (and two more), ~ (the next unused one).':
    'So viele, wie die Menge sagt: für jede ein Lagerposten. Mit Kommas oder Leerzeichen dazwischen: Nummern, Bereiche wie 1-5, 7+ (und weiter), 7+2 (und zwei mehr), ~ (die nächste freie).',
  'The name of the location, unique within its parent location.':
    'Der Name des Lagerorts, eindeutig in seinem übergeordneten Lagerort.',
  'The parent location; empty at the top.': 'Der übergeordnete Lagerort; leer auf der obersten Ebene.',
  'The user or group responsible for it; empty for none.':
    'Der verantwortliche Benutzer oder die verantwortliche Gruppe; leer für keinen.',
  'The name of its own icon; empty for the icon of its type.': 'Der Name eines eigenen Symbols; leer für das seines Typs.',
  'Whether it only groups other locations. A structural location cannot hold stock, and a location with stock cannot become structural.':
    'Ob er nur andere Lagerorte gruppiert. Ein struktureller Lagerort enthält keinen Bestand, und einer mit Bestand kann nicht strukturell werden.',
  'Whether it is an external location. The pages of parts show stock in external locations separately.':
    'Ob er extern ist. Die Seiten von Teilen zeigen Bestand an externen Lagerorten getrennt.',
  'The location type; empty for none. A location without an icon has the icon of its type.':
    'Der Lagerorttyp; leer für keinen. Ein Lagerort ohne eigenes Symbol hat das seines Typs.',
  'The number of units to serialize, in units of the part.': 'Wie viele eine Nummer bekommen, in der Einheit des Teils.',
  'As many serial numbers as the quantity. Separated by commas or spaces: numbers, and ranges such as 1-5, 7+ (and following), 7+2 (and two more), ~ (the next unused one).':
    'So viele Seriennummern, wie die Menge sagt. Mit Kommas oder Leerzeichen dazwischen: Nummern, Bereiche wie 1-5, 7+ (und weiter), 7+2 (und zwei mehr), ~ (die nächste freie).',
  'The location of the new items; it must not be structural.':
    'Der Lagerort der neuen Lagerposten; er darf nicht strukturell sein.',
  'The name of the view, unique within an account and page.': 'Der Name der Ansicht, eindeutig je Konto und Seite.',
  'The page of the view.': 'Die Seite, von der sie eine Ansicht ist, als Pfad unter der Adresse des Dienstes, etwa /parts.',
  'Its filters and its order.': 'Ihre Filter und ihre Sortierung.',
  'Whether all accounts can see it.': 'Ob alle Konten sie sehen können.',
  'The location of the merged item; it must not be structural.':
    'Der Lagerort des zusammengeführten Lagerpostens; er darf nicht strukturell sein.',
  'Whether the items may have different supplier parts; the supplier part of the first item remains.':
    'Ob die Lagerposten verschiedene Lieferantenteile sein dürfen; das des ersten bleibt.',
  'Whether the items may have different statuses; the status of the first item remains.':
    'Ob die Lagerposten verschiedene Zustände haben dürfen; der des ersten bleibt.',
  'The part to convert the item to.': 'Das Teil, zu dem er danach gehört.',
  'The item to install, which must be in stock.': 'Der Lagerposten, der eingebaut wird; er muss auf Lager sein.',
  'The quantity to install, in whole units of its part.': 'Wie viel davon eingebaut wird, in ganzen Einheiten seines Teils.',
  'The destination; it must not be structural.': 'Der Zielort; er darf nicht strukturell sein.',
  'The company that receives them; it must be a customer.': 'Die Firma, die sie bekommt; sie muss Kunde sein.',
  'The tested stock item.': 'Der geprüfte Lagerposten.',
  'Whether the test passed.': 'Ob er bestanden hat.',
  'The measured value; empty for none.': 'Der gemessene Wert; leer für keinen.',
  'A file with details of the result.': 'Eine Datei zum Ergebnis.',
  'A note; empty for none.': 'Eine Notiz; leer für keine.',
  'The name of the station or machine that ran the test; empty for none.':
    'Der Prüfplatz oder die Maschine, die geprüft hat; leer, wenn das gleich ist.',
  'The start of the test; empty if unknown.': 'Wann die Prüfung begann; leer, wenn nicht bekannt.',
  'The end of the test, not before its start; empty if unknown.':
    'Wann die Prüfung endete, nicht vor ihrem Beginn; leer, wenn nicht bekannt.',
  'The test; may be empty if its name is given.': 'Die Prüfung; sie kann fehlen, wenn ihr Name angegeben ist.',
  'The name of the test: letters and digits are compared, case-insensitive.':
    'Die Prüfung mit ihrem Namen: Buchstaben und Ziffern zählen, groß oder klein.',
  'The manufacturer; the company must be a manufacturer.': 'Der Hersteller; die Firma muss Hersteller sein.',
  "The manufacturer's description; empty for none.": 'Die Beschreibung des Herstellers; leer für keine.',
  "The manufacturer's part number (MPN), unique for each part and manufacturer.":
    'Die Teilenummer des Herstellers (MPN), eindeutig je Teil und Hersteller.',
  'The MD5 hash of the linked barcode, unique across all objects; empty without one.':
    'Der MD5-Hash des verknüpften Barcodes, eindeutig über alle Objekte; leer ohne einen.',
  'The company of the address.': 'Die Firma, deren Anschrift es ist.',
  'The name of the address, such as Head office or Returns.': 'Der Name der Anschrift, etwa Zentrale oder Rücksendungen.',
  'Whether it is the primary address of the company. An only address always is.':
    'Ob es die Hauptanschrift der Firma ist. Eine einzige Anschrift ist es immer.',
  'Street and number, or the first line of the address.': 'Straße und Hausnummer, oder die erste Zeile der Anschrift.',
  'The second line, such as a building or a floor; may be empty.':
    'Die zweite Zeile, etwa Gebäude oder Stockwerk; darf leer sein.',
  'The postal code, in the format of the country.': 'Die Postleitzahl, wie man sie im Land schreibt.',
  'The town or city.': 'Der Ort.',
  'The state, province or county; may be empty.': 'Das Bundesland oder die Provinz; leer, wo Anschriften ohne auskommen.',
  'The name of the country.': 'Der Name des Landes.',
  'Notes for the carrier, such as opening hours; may be empty.':
    'Hinweise für den Versanddienst, etwa Öffnungszeiten; darf leer sein.',
  'Internal shipping notes, not for the carrier; may be empty.':
    'Interne Versandhinweise, nicht für den Versanddienst; darf leer sein.',
  'The company of the contact.': 'Die Firma des Ansprechpartners.',
  'The name of the contact.': 'Der Name des Ansprechpartners.',
  'The phone number, as free text; empty for none.': 'Die Telefonnummer, so wie man sie schreibt; leer für keine.',
  'The email address; empty for none.': 'Die E-Mail-Adresse; leer für keine.',
  'The role at the company, such as Sales; may be empty.': 'Die Rolle in der Firma, etwa Verkauf; darf leer sein.',
  'The manufacturer part of the parameter.': 'Das Herstellerteil des Parameters.',
  'The name of the parameter, such as Tolerance.': 'Der Name des Parameters, etwa Toleranz.',
  'The value, as free text.': 'Der Wert als Text: Damit wird nicht gerechnet.',
  'The unit of the value, as free text; empty for none.':
    'Die Einheit des Wertes als Text; sie muss keine bekannte sein. Leer für keine.',
  'The stock item that is returned, in whole or in part.': 'Der Lagerposten, der zurückgegeben wird, ganz oder zum Teil.',
  'The day on which it was received; empty before. Receiving the item sets it, and moves the item as well.':
    'Das Eingangsdatum; vorher leer. Das Annehmen setzt es und lagert den Lagerposten um.',
  'The outcome for the item; pending by default.': 'Das Ergebnis für den Lagerposten; zunächst offen.',
  'The charge, negative for a refund; empty for none, which adds nothing to the total.':
    'Was dafür berechnet wird, unter null, was zurückgezahlt wird; leer für nichts, was nichts zur Summe beiträgt.',
  'The quantity needed, including the expected loss, in units of the component.':
    'Wie viel sie braucht, mit dem Verlust, in der Einheit des Bauteils.',
  'The line to which it is allocated.': 'Die Zeile, für die es reserviert ist.',
  'The output it is allocated to, for a tracked component; empty for any other.':
    'Das Erzeugnis, in das es kommt, bei einem Bauteil mit Seriennummern; sonst leer.',
  'The stock item to allocate from.': 'Der Lagerposten, von dem reserviert ist.',
  'The allocated quantity, above zero, in units of the part; 1 for an item with a serial number.':
    'Wie viel reserviert ist, mehr als null, in der Einheit des Teils; 1 bei einem Lagerposten mit Seriennummer.',
  'Whether the stock allocated to them is released; otherwise it is consumed.':
    'Ob der dafür reservierte Bestand freigegeben wird; sonst wird er verbraucht.',
  'The reason for scrapping them.': 'Der Grund für den Ausschuss.',
  'The category whose new parts get the parameter.': 'Die Kategorie, deren neue Teile den Parameter bekommen.',
  'The default value; empty to fill in later.': 'Der Wert, den neue Teile bekommen; leer, wenn er noch einzutragen ist.',
  'The name of the parameter.': 'Der Name des Parameters.',
  'The unit of its values, such as m or ohm, or a custom unit. Values can be in any unit that converts to it. Empty for none.':
    'Die Einheit der Werte: eine physikalische oder eine eigene. Werte können in jeder Einheit sein, die sich umrechnen lässt. Leer für keine.',
  'Whether its values are yes and no. A checkbox has neither units nor choices.':
    'Ob die Werte Ja und Nein sind. Dann gibt es weder Einheit noch Auswahl.',
  'The allowed values, separated by commas, without duplicates; empty for any.':
    'Die Werte, die zur Wahl stehen, jeder einmal, durch Kommas getrennt; leer für beliebige.',
  'The part to copy the BOM from.': 'Das Teil, dessen Stückliste kopiert wird.',
  'Whether to delete the existing lines of the part first. Inherited lines remain.':
    'Ob die eigenen Zeilen des Teils vorher gelöscht werden. Geerbte bleiben.',
  'Whether to copy lines that the other part inherits from its templates.':
    'Ob auch Zeilen kopiert werden, die das andere Teil von seinen Vorlagen erbt.',
  'Whether to skip lines that would make the part contain itself or a fraction of a trackable component; otherwise they are an error.':
    'Ob Zeilen ausgelassen werden, durch die das Teil sich selbst enthielte oder einen Bruchteil eines Bauteils mit Seriennummern bräuchte, statt alles abzulehnen.',
  'Whether to copy the substitutes of the lines.': 'Ob auch die Ersatzteile der Bauteile kopiert werden.',
  'The override of the minimum price, zero or more; empty for none.':
    'Der manuelle Mindestpreis, null oder mehr; leer für keinen.',
  'The currency of the minimum price.': 'Die Währung des Mindestpreises.',
  'The override of the maximum price, zero or more; empty for none.':
    'Der manuelle Höchstpreis, null oder mehr; leer für keinen.',
  'The currency of the maximum price.': 'Die Währung des Höchstpreises.',
  'Has no effect: every change recalculates the prices.': 'Hat keine Wirkung: Jede Änderung berechnet die Preise neu.',
  'The part whose stock is tested, which must be testable or trackable; the test applies to its variants too.':
    'Das Teil, dessen Bestand geprüft wird; es muss prüfbar sein oder Seriennummern haben. Die Prüfung gilt auch für seine Varianten.',
  'The name of the test.': 'Der Name der Prüfung.',
  'A short description of the test.': 'Eine kurze Beschreibung der Prüfung.',
  'Whether the test is enabled.': 'Ob die Prüfung aktiv ist.',
  'Whether stock must pass it.': 'Ob der Bestand sie bestehen muss.',
  'Whether a result needs a value.': 'Ob ein Ergebnis einen Wert braucht.',
  'Whether a result needs a file.': 'Ob ein Ergebnis eine Datei braucht.',
  'The part of the price.': 'Das Teil, für das der Preis gilt.',
  'The minimum quantity for this price, in units of the part. Below the lowest price break, the price of the lowest applies.':
    'Die kleinste Menge zu diesem Preis, in der Einheit des Teils. Der Preis der kleinsten gilt auch für weniger.',
  'The price of one unit of the part, zero or more.': 'Der Preis für eines, null oder mehr.',
  'The currency of the price. The default is the default currency.': 'Die Währung des Preises. Ohne Angabe die übliche.',
  'The part of the price, which must be salable.': 'Das Teil, für das der Preis gilt; es muss verkäuflich sein.',
  'One of the two parts.': 'Eines der beiden Teile.',
  'The other part.': 'Das andere Teil.',
  'The counted part.': 'Das gezählte Teil.',
  'The number of stock items.': 'Die Anzahl der Lagerposten.',
  'The quantity in stock, in units of the part.': 'Die Menge auf Lager, in der Einheit des Teils.',
  'The minimum value of the stock; empty if unknown.': 'Der Mindestwert des Bestands; leer, wenn unbekannt.',
  'The currency of the minimum value.': 'Die Währung der niedrigsten Kosten. Ohne Angabe die übliche.',
  'The maximum value of the stock; empty if unknown.': 'Der Höchstwert des Bestands; leer, wenn unbekannt.',
  'The currency of the maximum value.': 'Die Währung der höchsten Kosten. Ohne Angabe die übliche.',
  'The line.': 'Die Zeile.',
  'The substitute for the component of the line: another part, which must be a component.':
    'Das Ersatzteil für das Bauteil der Zeile: ein anderes Teil, das ein Bauteil sein muss.',
  'Search tags, at most 100 of up to 100 characters each; they replace the existing tags.':
    'Suchwörter, höchstens 100 mit je bis zu 100 Zeichen; sie ersetzen die bisherigen.',
  'The value of one unit of the default currency in this currency, to 10 decimals; empty to use the live rate.':
    'Der Wert einer Einheit der Standardwährung in dieser Währung, mit bis zu 10 Nachkommastellen; leer für den abgerufenen Kurs.',
  'The picture: PNG, JPEG, GIF or WebP, at most 5 MiB.': 'Das Bild: PNG, JPEG, GIF oder WebP, höchstens 5 MiB.',
  'The name of the type.': 'Der Name des Typs.',
  'A short description of the type; empty for none.': 'Eine kurze Beschreibung des Typs; leer für keine.',
  'The default icon for locations of the type; empty for none.': 'Das Standardsymbol für Lagerorte des Typs; leer für keines.',
  'A short unique code of the project, such as a number or an abbreviation.':
    'Ein kurzer, eindeutiger Code des Projekts, etwa eine Nummer oder eine Abkürzung.',
  'A description of the project; may be empty.': 'Eine Beschreibung des Projekts; darf leer bleiben.',
  'One word of letters, digits and underscores that is not a unit yet, case-sensitive.':
    'Ein Wort aus Buchstaben, Ziffern und Unterstrichen, das noch keine Einheit ist. Groß und klein sind verschieden.',
  'A short form of the name, one word that is not a unit yet; empty for none.':
    'Eine Kurzform des Namens, ein Wort, das noch keine Einheit ist; leer für keine.',
  'The size of one unit, in known units: 100 metre, 12, kg / m. It must be greater than zero.':
    'Wie groß eine Einheit ist, in bekannten Einheiten: 100 metre, 12, kg / m. Mehr als null.',
  'The secret at the end of the link.': 'Das Geheimnis am Ende des Links.',
  'The first name; may be empty.': 'Der Vorname; er darf leer sein.',
  'The last name; may be empty.': 'Der Nachname; er darf leer sein.',
  'The email address, if the invitation has none; it may be empty unless the service requires one.':
    'Die E-Mail-Adresse, falls die Einladung keine hat; sie darf leer sein, wenn der Dienst keine verlangt.',
  'The code of the authenticator or a recovery code, for an account without a password.':
    'Der Code der Authenticator-App oder ein Wiederherstellungscode, für ein Konto ohne Passwort.',
  'The quantity that each build order uses in addition, such as for setting up a machine, in units of the component.':
    'Die Menge, die jeder Fertigungsauftrag zusätzlich braucht, zum Beispiel zum Einrichten einer Maschine, in Einheiten des Bauteils.',
  'The expected loss, as a percentage of the used quantity: 10 for a tenth more.':
    'Der erwartete Verlust in Prozent der verbauten Menge: 10 für ein Zehntel mehr.',
  'What a build order requires is rounded up to a multiple of this quantity, in units of the component; empty for no rounding.':
    'Der Bedarf eines Fertigungsauftrags wird auf ein Vielfaches dieser Menge aufgerundet, in Einheiten des Bauteils; leer für keine Rundung.',
  'The quantity as it is entered, with or without a unit, such as 500 mg for a component in g. A change of it changes the quantity.':
    'Die Menge, wie sie eingegeben wird, mit oder ohne Einheit, zum Beispiel 500 mg für ein Bauteil in g. Eine Änderung ändert auch die Menge.',
  'The address, which the account must not have yet, case-insensitive.':
    'Die Adresse, die das Konto noch nicht hat; Groß- und Kleinschreibung zählen nicht.',
  'Whether the address is verified. Only following the link in the email verifies it.':
    'Ob die Adresse bestätigt ist. Nur der Link in der E-Mail bestätigt sie.',
  'Whether it is the primary address of the account. It cannot be changed here.':
    'Ob es die Hauptadresse des Kontos ist. Hier lässt sich das nicht ändern.',
  'The account of the address: the caller; a superuser can name another one.':
    'Das Konto der Adresse: das eigene; ein Superuser kann ein anderes angeben.',
  'The value: a text, number or boolean that fits the type of the setting, at most 2,000 characters.':
    'Der Wert: Text, Zahl oder Ja/Nein, passend zur Art der Einstellung, höchstens 2.000 Zeichen.',
  'The new password again. Errors of the password are reported on this field.':
    'Das neue Passwort noch einmal. Fehler des Passworts stehen an diesem Feld.',
  'The current password. It may be empty unless the service requires it; if given, it must be correct.':
    'Das jetzige Passwort. Es darf leer sein, wenn der Dienst es nicht verlangt; sonst muss es stimmen.',
  'The code that the authenticator shows, at most 30 seconds early or late, or a recovery code. Each code works only once.':
    'Der Code, den die Authenticator-App zeigt, höchstens 30 Sekunden zu früh oder zu spät, oder ein Wiederherstellungscode. Jeder Code gilt nur einmal.',
  'A name that says which program uses the token.': 'Ein Name, der sagt, welches Programm das Token benutzt.',
  'The last day on which the token is valid, in UTC; empty for unlimited. By default a year from now.':
    'Der letzte Tag, an dem das Token gilt, in UTC; leer für unbegrenzt. Ohne Angabe in einem Jahr.',
  'Whether the token may only read.': 'Ob das Token nur lesen darf.',
  'The unique name. New accounts join a group by its name.': 'Der eindeutige Name. Neue Konten kommen über ihn in eine Gruppe.',
  'The address of the invited person. The account gets it; without one, the invited person enters it.':
    'Die Adresse der eingeladenen Person. Das Konto bekommt sie; ohne eine gibt die Person sie selbst ein.',
  'Whether the account becomes staff.': 'Ob das Konto zur Verwaltung gehört.',
  'Whether the account becomes a superuser.': 'Ob das Konto Superuser wird.',
  'Whether to email the link to the address of the invitation instead of returning it.':
    'Ob der Link an die Adresse der Einladung geschickt wird, statt ihn zu zeigen.',
  'The number of days for which the link is valid.': 'Wie viele Tage der Link gilt.',
  'Whether to email the link to the address of the account instead of returning it.':
    'Ob der Link an die Adresse des Kontos geschickt wird, statt ihn zu zeigen.',
  'The email address. A new address takes effect once it is verified. Visible to staff and the account itself.':
    'Die E-Mail-Adresse. Eine neue gilt, sobald sie bestätigt ist. Sichtbar für die Verwaltung und das Konto selbst.',
  'Whether it is staff, and can for example change global settings. Omit it to leave it unchanged. Visible to staff and the account itself.':
    'Ob es zur Verwaltung gehört und zum Beispiel globale Einstellungen ändern kann. Sichtbar für die Verwaltung und das Konto selbst.',
  'Whether it has all permissions. Omit it to leave it unchanged. Visible to staff and the account itself.':
    'Ob es alle Rechte hat. Sichtbar für die Verwaltung und das Konto selbst.',
  'Whether it can sign in. Making it inactive ends its sessions and tokens immediately. Omit it to leave it unchanged.':
    'Ob es sich anmelden kann. Wird es deaktiviert, enden seine Sitzungen und Token sofort.',
  'The password of a new account; without one, its owner sets it with an emailed link.':
    'Das Passwort eines neuen Kontos; ohne eines legt die Person es über einen Link in einer E-Mail fest.',
  'The password of the account.': 'Das Passwort des Kontos.',
  'The source of the package: a repository (git+https://...), an archive or a directory (https://.../name.tgz, file:///...), or a registry; empty for the registry that npm is configured with.':
    'Die Quelle des Pakets: ein Repository (git+https://...), ein Archiv oder ein Ordner (https://.../name.tgz, file:///...) oder eine Registry; leer für die Registry, die npm benutzt.',
  'The npm name of the package, optionally followed by a version after @ or ==.':
    'Der npm-Name des Pakets, optional mit einer Version nach @ oder ==.',
  'The version of the package, a range of versions or a tag, for a package from a registry. Empty for the latest.':
    'Die Version des Pakets, ein Bereich von Versionen oder ein Tag, für ein Paket aus einer Registry. Leer für die neueste.',
  'Confirms the installation; nothing is installed without it.': 'Bestätigt die Installation; sonst wird nichts installiert.',
  'Whether to delete the configuration and the settings of the plugin.':
    'Ob auch die Konfiguration und die Einstellungen des Plugins gelöscht werden.',
  'The name of the machine, which must be unique.': 'Der Name des Geräts; er muss eindeutig sein.',
  'Its type.': 'Sein Typ.',
  'Its driver, which must match its type.': 'Sein Treiber, der zum Typ passen muss.',
  'Whether the machine is enabled.': 'Ob das Gerät eingeschaltet ist.',
  'The name of the template.': 'Der Name der Vorlage.',
  'The file of the template, or its URL.': 'Die Datei der Vorlage, oder ihre Adresse.',
  'The objects it applies to: conditions such as name=Rack 1, separated by commas; empty for every part.':
    'Die Objekte, für die sie gilt: Bedingungen wie name=Regal 1, durch Kommas getrennt; leer für jedes Teil.',
  'The objects it applies to: conditions such as name=Rack 1, separated by commas; empty for every stock item.':
    'Die Objekte, für die sie gilt: Bedingungen wie name=Regal 1, durch Kommas getrennt; leer für jeden Lagerposten.',
  'The width of the label, in millimeters.': 'Die Breite des Etiketts in Millimetern.',
  'The height of the label, in millimeters.': 'Die Höhe des Etiketts in Millimetern.',
  'The name of the printed file; it may contain variables of the template.':
    'Der Name der gedruckten Datei; er kann Variablen der Vorlage enthalten.',
  'Whether it can be printed.': 'Ob sie gedruckt werden kann.',
  'A description of the report.': 'Eine Beschreibung des Berichts.',
  'The page size; by default the one in the settings.': 'Die Seitengröße; standardmäßig die aus den Einstellungen.',
  'Whether its pages have landscape orientation.': 'Ob die Seiten im Querformat sind.',
  'Whether it includes the tests of the items installed in the item.':
    'Ob die Prüfungen der eingebauten Lagerposten enthalten sind.',
  'A description.': 'Eine Beschreibung.',
  'The file, or its URL. File names of assets are unique.': 'Die Datei, oder ihre Adresse. Jeder Dateiname kommt nur einmal vor.',
  'The file of the snippet, or its URL. File names of snippets are unique.':
    'Die Datei des Bausteins, oder ihre Adresse. Jeder Dateiname kommt nur einmal vor.',
  'The name by which templates find the file; by default its original one. It is unique, and has no slashes and no quotes.':
    'Der Name, unter dem Vorlagen die Datei finden; von sich aus der ursprüngliche. Er kommt nur einmal vor und hat keine Schrägstriche und Anführungszeichen.',
  'A short note on the relation; empty for none.': 'Ein kurzer Vermerk zu dieser Beziehung; leer für keinen.',
  'A short note on the value; empty for none.': 'Ein kurzer Vermerk zu diesem Wert; leer für keinen.',
  'The allowed values of its results, separated by commas, without duplicates; empty for any.':
    'Die erlaubten Werte der Ergebnisse, durch Kommas getrennt, jeder nur einmal; leer für beliebige.',
  'The kind of object that has the parameter; empty for any.': 'Welche Art von Objekten den Parameter hat; leer für jede.',
  'The maximum stock, variants included and in units of the part, not below the minimum stock. 0 for none.':
    'Der Höchstbestand samt Varianten, in Einheiten des Teils, nicht unter dem Mindestbestand. 0 für keinen.',
  'The part that it is a revision of, not a template; empty for none. A revision needs the text of its revision.':
    'Das Teil, von dem es eine Revision ist, keine Vorlage; leer für keines. Eine Revision braucht den Text ihrer Revision.',
  'The selection list whose active entries are the allowed values, instead of choices; empty for none.':
    'Die Auswahlliste, deren aktive Einträge die erlaubten Werte sind, anstelle einer Auswahl; leer für keine.',
  'The tax number of the company, such as its VAT number; empty for none.':
    'Die Steuernummer der Firma, etwa die USt-IdNr.; leer, wenn sie keine hat.',
  'Whether every BOM line with it is consumable: build orders do not allocate or count it.':
    'Ob jede Stücklistenzeile damit Verbrauchsmaterial ist: Fertigungsaufträge reservieren und zählen es nicht.',
  'Whether it can have tests, as a trackable part always can. A new trackable part is testable by default.':
    'Ob es Prüfungen haben kann, wie ein Teil mit Seriennummern immer. Ein neues Teil mit Seriennummern ist von sich aus prüfbar.',
  'Whether it is the primary supplier part of its part: its default supplier. A part has only one.':
    'Ob es das bevorzugte Lieferantenteil seines Teils ist: der übliche Lieferant. Ein Teil hat nur eines.',
  'Whether its BOM and its parameters cannot be changed, and it cannot be deleted.':
    'Ob Stückliste und Parameter nicht geändert werden können und es nicht gelöscht werden kann.',
  'Whether objects can get the parameter. Existing values remain.':
    'Ob Objekte den Parameter bekommen können. Vorhandene Werte bleiben.',
  'Whether the project code is in use. Lists can be filtered by it; it restricts nothing.':
    'Ob der Projektcode in Gebrauch ist. Listen können danach gefiltert werden; sonst ändert es nichts.',
  'Whether values must be unique: not at all, among objects of the same kind, or among all objects.':
    'Ob Werte eindeutig sein müssen: gar nicht, unter Objekten derselben Art oder unter allen Objekten.',
  'The number of the line within the order, such as 10 or 3a; may be empty. Lines are sorted by the number in it.':
    'Die Nummer der Zeile im Auftrag, etwa 10 oder 3a; darf leer sein. Nach der Zahl darin wird sortiert.',
  'The discount on quantity times price, as a percentage from 0 to 100 with up to two decimals.':
    'Der Nachlass auf Menge mal Preis in Prozent, von 0 bis 100 mit bis zu zwei Nachkommastellen.',
  'The build order that the supplier carries out, one that makes the part of the line; empty for none.':
    'Der Fertigungsauftrag, den der Lieferant ausführt; er stellt das Teil der Position her. Leer für keinen.',
  'The quantity returned, above zero and at most that of the item, in units of the part; 1 by default.':
    'Die Menge, die zurückkommt: größer als null, höchstens die des Postens, in der Einheit des Teils; sonst 1.',
  'The default destination of the goods, for lines without one; empty for the default locations of the parts.':
    'Wohin die Ware kommt, für Positionen ohne eigenes Ziel; leer: an die üblichen Lagerorte der Teile.',
  'The day on which work on the order begins, not after the target date; empty for none.':
    'Der Tag, an dem die Arbeit am Auftrag beginnt, nicht nach dem Termin; leer für keinen.',
  'The quantity to transfer, in units of the part.': 'Wie viel umgelagert wird, in der Einheit des Teils.',
  'The part to transfer.': 'Das Teil, das umgelagert wird.',
  'The day by which the stock is to be moved; it applies to lines without a target date. Empty for none.':
    'Der Tag, bis zu dem umgelagert werden soll; er gilt für Positionen ohne eigenen Termin. Leer für keinen.',
  'The contact person at a company; empty for none.': 'Der Ansprechpartner bei einer Firma; leer für keinen.',
  'The address of a company to use; empty for none.': 'Die Anschrift einer Firma; leer für keine.',
  'The location where the stock is expected; empty for any. Stock of other locations can be allocated, too.':
    'Der Ort, an dem der Bestand erwartet wird; leer für jeden. Bestand anderer Orte kann auch reserviert werden.',
  'The location to which completion moves the stock; empty while it is undecided, or if the stock is consumed.':
    'Der Ort, an den der Bestand beim Abschließen kommt; leer, solange er nicht feststeht, oder wenn der Bestand verbraucht wird.',
  'Whether completion consumes the stock instead of moving it.':
    'Ob der Bestand beim Abschließen verbraucht wird, statt an einen anderen Ort zu kommen.',
  'The order to copy lines from, as the next field says; empty for none.':
    'Der Auftrag, dessen Positionen kopiert werden, wie das nächste Feld sagt; leer für keinen.',
  'Whether to copy the lines of that order with their quantities and dates, but as lines of which nothing has been transferred. Off by default.':
    'Ob die Positionen jenes Auftrags mit Mengen und Terminen kopiert werden, als Positionen, von denen nichts umgelagert ist. Sonst nicht.',
  'The components to allocate. Tracked ones are allocated to individual outputs only, so that they are skipped in any case.':
    'Die Komponenten, die reserviert werden. Verfolgte werden nur für einzelne Erzeugnisse reserviert und deshalb immer übersprungen.',
  'The order in which stock is allocated; by default, what expires first.':
    'Die Reihenfolge, in der Bestand reserviert wird; ohne Angabe zuerst, was zuerst abläuft.',
}
