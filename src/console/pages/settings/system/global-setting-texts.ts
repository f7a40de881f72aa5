/**
 * German names and descriptions of the global settings, by key. The English ones come from the service, whose definitions are their home.
 * A test finds keys that are missing here. It is longer than other files because each setting has its lines.
 */
export const globalSettingTexts: Readonly<Record<string, { name: string; description: string }>> = {
  SERVER_RESTART_REQUIRED: {
    name: 'Neustart nötig',
    description:
      'Eine geänderte Einstellung wirkt erst nach einem Neustart. In Stockroom wirken alle sofort, darum ist dies nie gesetzt.',
  },
  INVENTREE_INSTANCE: {
    name: 'Name der Installation',
    description:
      'Der Name dieser Installation in `GET /api/`, in E-Mails und in Authenticator-Apps; leer für `INSTANCE_NAME` der Konfiguration.',
  },
  INVENTREE_INSTANCE_TITLE: {
    name: 'Name in der Titelzeile',
    description: 'Programme zeigen den Namen der Installation in der Titelzeile.',
  },
  INVENTREE_RESTRICT_ABOUT: {
    name: 'Versionsangaben beschränken',
    description: 'Programme zeigen Angaben zur Version nur Superusern.',
  },
  INVENTREE_COMPANY_NAME: {
    name: 'Name der Firma',
    description: 'Der Name der Firma, für Programme und Dokumente.',
  },
  INVENTREE_BASE_URL: {
    name: 'Basisadresse',
    description:
      'Die öffentliche Adresse des Dienstes, für Programme; leer für keine. Links in E-Mails beginnen mit `SITE_URL` der Konfiguration.',
  },
  INVENTREE_DEFAULT_CURRENCY: {
    name: 'Standardwährung',
    description: 'Die Währung, in der Preise verglichen und summiert werden, und die Vorgabe für Beträge.',
  },
  CURRENCY_UPDATE_INTERVAL: {
    name: 'Abstand der Kursabfragen',
    description: 'Tage zwischen zwei Abfragen der Wechselkurse; 0 für nie. Ein von Hand gesetzter Kurs beginnt den Abstand neu.',
  },
  CURRENCY_UPDATE_PLUGIN: {
    name: 'Plugin für Wechselkurse',
    description: 'Das Plugin, das Wechselkurse holt; leer für keines. Nur aktive Plugins stehen zur Wahl.',
  },
  INVENTREE_DOWNLOAD_FROM_URL: {
    name: 'Bilder von Adressen laden',
    description:
      'Der Dienst lädt Bilder von Adressen, die Programme nennen: im öffentlichen Internet und von Hosts in `FETCH_ALLOWED_HOSTS`.',
  },
  INVENTREE_DOWNLOAD_IMAGE_MAX_SIZE: {
    name: 'Größte geladene Datei',
    description: 'Die größte Datei eines geladenen Bildes in MB; MAX_FILE_BYTES ist die Obergrenze.',
  },
  INVENTREE_DOWNLOAD_FROM_URL_USER_AGENT: {
    name: 'User-Agent beim Laden',
    description: 'Der `User-Agent` beim Laden von Bildern; leer für den üblichen.',
  },
  INVENTREE_STRICT_URLS: {
    name: 'Adressen streng prüfen',
    description: 'Ein Link braucht ein Schema wie `https://`. Aus: Ein Link ohne Schema wird angenommen.',
  },
  INVENTREE_REQUIRE_CONFIRM: {
    name: 'Bestätigung verlangen',
    description: 'Programme fragen vor bestimmten Aktionen nach.',
  },
  INVENTREE_TREE_DEPTH: {
    name: 'Tiefe der Bäume',
    description: 'So viele Ebenen klappen Programme zuerst auf; 0 für keine.',
  },
  INVENTREE_UPDATE_CHECK_INTERVAL: {
    name: 'Abstand der Versionsprüfung',
    description:
      'Tage zwischen zwei Prüfungen auf eine neue Version. Stockroom prüft nicht. Die Einstellung wird nur gespeichert.',
  },
  INVENTREE_BACKUP_ENABLE: {
    name: 'Automatische Sicherung',
    description: 'Daten und Dateien werden automatisch gesichert, nach `BACKUP_DIR` auf dem Rechner des Dienstes.',
  },
  INVENTREE_BACKUP_DAYS: {
    name: 'Abstand der Sicherungen',
    description: 'Tage zwischen zwei Sicherungen.',
  },
  INVENTREE_BACKUP_HOUR: {
    name: 'Stunde der Sicherung',
    description:
      'Stunde des Tages, zu der gesichert wird, von 0 bis 23 in der Zeitzone des Dienstes (`TZ`), etwa 2 für die Nacht; leer: sobald der Abstand vergangen ist.',
  },
  INVENTREE_DELETE_TASKS_DAYS: {
    name: 'Aufgaben löschen nach',
    description:
      'Tage, bis der Eintrag einer fehlgeschlagenen Hintergrundaufgabe gelöscht wird; erledigte werden nach einem Tag gelöscht.',
  },
  INVENTREE_DELETE_ERRORS_DAYS: {
    name: 'Fehlerberichte löschen nach',
    description: 'Tage, bis ein Fehlerbericht gelöscht wird.',
  },
  INVENTREE_DELETE_NOTIFICATIONS_DAYS: {
    name: 'Mitteilungen löschen nach',
    description: 'Tage, bis eine Mitteilung gelöscht wird.',
  },
  BARCODE_ENABLE: {
    name: 'Barcodes',
    description: 'Programme bieten das Scannen von Barcodes an.',
  },
  BARCODE_INPUT_DELAY: {
    name: 'Wartezeit beim Scannen',
    description: 'Millisekunden, die Programme auf weitere Zeichen eines Scanners warten.',
  },
  BARCODE_WEBCAM_SUPPORT: {
    name: 'Scannen mit der Kamera',
    description: 'Programme bieten das Scannen mit einer Kamera an.',
  },
  BARCODE_RESULTS_DAYS: {
    name: 'Scans löschen nach',
    description: 'Tage, bis ein Scan aus dem Verlauf gelöscht wird; bis dahin kann er rückgängig gemacht werden.',
  },
  PART_ENABLE_REVISION: {
    name: 'Revisionen von Teilen',
    description: 'Programme zeigen und ändern die Revision eines Teils.',
  },
  PART_IPN_REGEX: {
    name: 'Muster der internen Teilenummer',
    description:
      'Der reguläre Ausdruck, dem eine neue interne Teilenummer (IPN) entsprechen muss; leer für jede. Vorhandene Nummern bleiben.',
  },
  PART_ALLOW_DUPLICATE_IPN: {
    name: 'Doppelte Teilenummern erlauben',
    description:
      'Mehrere Teile dürfen dieselbe interne Teilenummer (IPN) haben. Aus: Eine Nummer, die ein anderes Teil hat, wird abgelehnt; Groß- und Kleinschreibung zählt nicht.',
  },
  PART_ALLOW_EDIT_IPN: {
    name: 'Teilenummern änderbar',
    description: 'Programme erlauben, die interne Teilenummer (IPN) eines vorhandenen Teils zu ändern.',
  },
  PART_COPY_BOM: {
    name: 'Stückliste mitkopieren',
    description: 'Programme kopieren die Stückliste mit, wenn ein Teil kopiert wird.',
  },
  PART_COPY_PARAMETERS: {
    name: 'Parameter mitkopieren',
    description: 'Programme kopieren die Parameter mit, wenn ein Teil kopiert wird.',
  },
  PART_COPY_TESTS: {
    name: 'Testvorlagen mitkopieren',
    description: 'Programme kopieren die Testvorlagen mit, wenn ein Teil kopiert wird.',
  },
  PART_CATEGORY_PARAMETERS: {
    name: 'Parameter der Kategorie übernehmen',
    description: 'Programme übernehmen die Parametervorlagen der Kategorie in ein neues Teil.',
  },
  PART_TEMPLATE: {
    name: 'Vorlage',
    description: 'Ein neues Teil ist zunächst eine Vorlage für Varianten.',
  },
  PART_ASSEMBLY: {
    name: 'Baugruppe',
    description: 'Ein neues Teil ist zunächst eine Baugruppe.',
  },
  PART_COMPONENT: {
    name: 'Komponente',
    description: 'Ein neues Teil kann zunächst Komponente anderer Teile sein.',
  },
  PART_PURCHASEABLE: {
    name: 'Kaufbar',
    description: 'Ein neues Teil kann zunächst bei Lieferanten gekauft werden.',
  },
  PART_SALABLE: {
    name: 'Verkäuflich',
    description: 'Ein neues Teil kann zunächst an Kunden verkauft werden.',
  },
  PART_TRACKABLE: {
    name: 'Mit Seriennummern',
    description: 'Ein neues Teil wird zunächst mit Seriennummern verfolgt.',
  },
  PART_VIRTUAL: {
    name: 'Virtuell',
    description: 'Ein neues Teil ist zunächst virtuell, wie eine Lizenz.',
  },
  PART_SHOW_IMPORT: {
    name: 'Import anbieten',
    description: 'Programme bieten den Import von Teilen an.',
  },
  PART_SHOW_RELATED: {
    name: 'Verwandte Teile zeigen',
    description: 'Programme zeigen die verwandten Teile eines Teils.',
  },
  PART_CREATE_INITIAL: {
    name: 'Nach erstem Bestand fragen',
    description: 'Programme fragen nach dem ersten Bestand eines neuen Teils.',
  },
  PART_CREATE_SUPPLIER: {
    name: 'Nach Lieferant fragen',
    description: 'Programme fragen nach dem Lieferanten eines neuen Teils.',
  },
  PART_NAME_FORMAT: {
    name: 'Muster des vollen Namens',
    description:
      'Das Muster für den vollen Namen eines Teils: Text, und Felder in doppelten Klammern, wie `{{ part.name }}`. Leer für das übliche. Eine Änderung benennt alle Teile um.',
  },
  PART_CATEGORY_DEFAULT_ICON: {
    name: 'Symbol für Kategorien',
    description: 'Das Symbol für Kategorien ohne eigenes; leer für keines.',
  },
  PART_PARAMETER_ENFORCE_UNITS: {
    name: 'Einheiten von Parametern prüfen',
    description: 'Der Wert eines Parameters braucht eine Einheit, die sich in die seiner Vorlage umrechnen lässt.',
  },
  PRICING_DECIMAL_PLACES_MIN: {
    name: 'Wenigste Nachkommastellen',
    description: 'So viele Nachkommastellen haben Preise in Programmen mindestens.',
  },
  PRICING_DECIMAL_PLACES: {
    name: 'Meiste Nachkommastellen',
    description: 'So viele Nachkommastellen haben Preise in Programmen höchstens.',
  },
  PRICING_USE_SUPPLIER_PRICING: {
    name: 'Preise der Lieferanten',
    description: 'Staffelpreise der Lieferanten gehen in den Preis eines Teils ein.',
  },
  PRICING_PURCHASE_HISTORY_OVERRIDES_SUPPLIER: {
    name: 'Frühere Einkäufe gehen vor',
    description: 'Preise früherer Bestellungen ersetzen die Staffelpreise der Lieferanten.',
  },
  PRICING_USE_STOCK_PRICING: {
    name: 'Preise des Bestands',
    description: 'Einkaufspreise des Bestands gehen in den Preis eines Teils ein.',
  },
  PRICING_STOCK_ITEM_AGE_DAYS: {
    name: 'Höchstes Alter von Bestandspreisen',
    description: 'Alter in Tagen, ab dem der Einkaufspreis eines Bestands nicht mehr zählt; 0 für unbegrenzt.',
  },
  PRICING_USE_VARIANT_PRICING: {
    name: 'Preise der Varianten',
    description: 'Preise der Varianten gehen in den Preis ihrer Vorlage ein.',
  },
  PRICING_ACTIVE_VARIANTS: {
    name: 'Nur aktive Varianten',
    description: 'Nur aktive Varianten gehen in den Preis ihrer Vorlage ein.',
  },
  PRICING_UPDATE_DAYS: {
    name: 'Preise neu berechnen nach',
    description: 'Alter in Tagen, nach dem der Preis eines Teils neu berechnet wird.',
  },
  PART_INTERNAL_PRICE: {
    name: 'Interne Preise',
    description: 'Teile haben interne Staffelpreise.',
  },
  PART_BOM_USE_INTERNAL_PRICE: {
    name: 'Interne Preise gehen vor',
    description: 'Interne Preise ersetzen alle anderen Preise eines Teils.',
  },
  LABEL_ENABLE: {
    name: 'Etiketten drucken',
    description: 'Programme bieten den Druck von Etiketten an.',
  },
  LABEL_DPI: {
    name: 'Auflösung von Etiketten',
    description: 'Die Auflösung von Bildern der Etiketten in Punkten je Zoll.',
  },
  REPORT_ENABLE: {
    name: 'Berichte drucken',
    description: 'Programme bieten den Druck von Berichten an.',
  },
  REPORT_DEBUG_MODE: {
    name: 'Berichte als HTML',
    description: 'Berichte kommen als HTML, zum Entwickeln von Vorlagen.',
  },
  REPORT_LOG_ERRORS: {
    name: 'Fehler von Berichten protokollieren',
    description: 'Fehlgeschlagene Berichte werden mit dem Grund protokolliert.',
  },
  REPORT_DEFAULT_PAGE_SIZE: {
    name: 'Seitengröße',
    description: 'Die Seitengröße neuer Berichtsvorlagen.',
  },
  REPORT_ENABLE_TEST_REPORT: {
    name: 'Testberichte',
    description: 'Programme bieten Testberichte von Beständen an.',
  },
  REPORT_ATTACH_TEST_REPORT: {
    name: 'Testberichte anhängen',
    description: 'Ein gedruckter Testbericht wird an seinen Bestand angehängt, wenn die Person Anhänge hinzufügen darf.',
  },
  SERIAL_NUMBER_GLOBALLY_UNIQUE: {
    name: 'Seriennummern überall eindeutig',
    description:
      'Eine Seriennummer ist über alle Teile eindeutig. Aus: innerhalb eines Teils, seiner Vorlage und aller Varianten.',
  },
  SERIAL_NUMBER_AUTOFILL: {
    name: 'Seriennummern vorschlagen',
    description: 'Programme tragen die nächste Seriennummer ein.',
  },
  STOCK_DELETE_DEPLETED_DEFAULT: {
    name: 'Aufgebrauchten Bestand löschen',
    description: 'Neuer Bestand ohne Seriennummer wird zunächst gelöscht, wenn seine Menge null wird.',
  },
  STOCK_BATCH_CODE_TEMPLATE: {
    name: 'Vorlage für Chargen',
    description: 'Die Vorlage für die Charge von neuem Bestand, wie `{{ year }}-{{ week }}` in UTC. Leer für keine.',
  },
  STOCK_ENABLE_EXPIRY: {
    name: 'Ablaufdaten',
    description:
      'Bestand kann ablaufen: Programme zeigen Ablaufdaten, und die Filter `expired` und `stale` wirken. Aus: Sie werden nicht beachtet.',
  },
  STOCK_ALLOW_EXPIRED_SALE: {
    name: 'Abgelaufenen Bestand verkaufen',
    description:
      'Abgelaufener Bestand kann verkauft werden. Aus: Programme bieten ihn nicht an; die API lehnt ihn mit `check_expiry` ab.',
  },
  STOCK_STALE_DAYS: {
    name: 'Frist vor dem Ablauf',
    description: 'So viele Tage vor seinem Ablaufdatum gilt Bestand als bald abgelaufen; 0 für erst danach.',
  },
  STOCK_ALLOW_EXPIRED_BUILD: {
    name: 'Abgelaufenen Bestand verbauen',
    description:
      'Abgelaufener Bestand kann verbaut werden. Aus: Er wird nicht automatisch reserviert; die API lehnt ihn mit `check_expiry` ab.',
  },
  STOCK_OWNERSHIP_CONTROL: {
    name: 'Besitz von Bestand',
    description:
      'Programme erlauben nur dem Besitzer, Bestand und Lagerorte mit Besitzer zu ändern. Rechte der API ändern sich nicht.',
  },
  STOCK_LOCATION_DEFAULT_ICON: {
    name: 'Symbol für Lagerorte',
    description: 'Das Symbol für Lagerorte ohne eigenes und ohne Art; leer für keines.',
  },
  STOCK_SHOW_INSTALLED_ITEMS: {
    name: 'Eingebauten Bestand zeigen',
    description: 'Programme zeigen Bestand, der in anderem Bestand eingebaut ist.',
  },
  STOCK_ENFORCE_BOM_INSTALLATION: {
    name: 'Stückliste beim Einbau prüfen',
    description: 'In einen Bestand können nur Teile seiner Stückliste eingebaut werden.',
  },
  STOCK_ALLOW_OUT_OF_STOCK_TRANSFER: {
    name: 'Nicht vorrätiges umlagern',
    description: 'Bestand, der nicht im Lager ist, wie der eines Kunden, kann umgelagert werden.',
  },
  STOCKTAKE_ENABLE: {
    name: 'Inventuren',
    description: 'Inventuren vieler Teile sind möglich, auf Wunsch und nach Plan.',
  },
  STOCKTAKE_EXCLUDE_EXTERNAL: {
    name: 'Externe Lagerorte auslassen',
    description: 'Inventuren lassen Bestand an externen Lagerorten zunächst aus.',
  },
  STOCKTAKE_AUTO_DAYS: {
    name: 'Abstand der Inventuren',
    description: 'Tage zwischen zwei automatischen Inventuren; 0 für nie.',
  },
  STOCKTAKE_DELETE_REPORT_DAYS: {
    name: 'Inventurberichte löschen nach',
    description: 'Tage, bis ein Inventurbericht gelöscht wird.',
  },
  TEST_STATION_DATA: {
    name: 'Angaben der Prüfstation',
    description: 'Programme fragen nach Station, Beginn und Ende eines Tests. Die API nimmt diese Felder immer an.',
  },
  BUILDORDER_REFERENCE_PATTERN: {
    name: 'Muster für Fertigungsaufträge',
    description:
      'Das Muster der Referenzen von Fertigungsaufträgen: `{ref:04d}` ist die Nummer, `{date:%Y}` das Datum in UTC, `?` ein beliebiges Zeichen, `#` eine Ziffer.',
  },
  BUILDORDER_REQUIRE_RESPONSIBLE: {
    name: 'Fertigung: Verantwortliche verlangen',
    description: 'Ein Fertigungsauftrag braucht eine verantwortliche Person oder Gruppe.',
  },
  PREVENT_BUILD_COMPLETION_HAVING_INCOMPLETED_TESTS: {
    name: 'Erst nach bestandenen Tests',
    description: 'Ergebnisse der Fertigung können erst abgeschlossen werden, wenn sie alle verlangten Tests bestanden haben.',
  },
  RETURNORDER_ENABLED: {
    name: 'Rücksendungen',
    description: 'Programme bieten Rücksendungen an.',
  },
  RETURNORDER_REFERENCE_PATTERN: {
    name: 'Muster für Rücksendungen',
    description:
      'Das Muster der Referenzen von Rücksendungen: `{ref:04d}` ist die Nummer, `{date:%Y}` das Datum in UTC, `?` ein beliebiges Zeichen, `#` eine Ziffer.',
  },
  RETURNORDER_REQUIRE_RESPONSIBLE: {
    name: 'Rücksendung: Verantwortliche verlangen',
    description: 'Eine Rücksendung braucht eine verantwortliche Person oder Gruppe.',
  },
  RETURNORDER_EDIT_COMPLETED_ORDERS: {
    name: 'Abgeschlossene Rücksendungen ändern',
    description: 'Programme erlauben, abgeschlossene Rücksendungen zu ändern.',
  },
  TRANSFERORDER_ENABLED: {
    name: 'Umlagerungsaufträge',
    description: 'Programme bieten Umlagerungsaufträge an.',
  },
  TRANSFERORDER_REFERENCE_PATTERN: {
    name: 'Muster für Umlagerungsaufträge',
    description:
      'Das Muster der Referenzen von Umlagerungsaufträgen: `{ref:04d}` ist die Nummer, `{date:%Y}` das Datum in UTC, `?` ein beliebiges Zeichen, `#` eine Ziffer.',
  },
  TRANSFERORDER_REQUIRE_RESPONSIBLE: {
    name: 'Umlagerung: Verantwortliche verlangen',
    description: 'Ein Umlagerungsauftrag braucht eine verantwortliche Person oder Gruppe.',
  },
  TRANSFERORDER_EDIT_COMPLETED_ORDERS: {
    name: 'Abgeschlossene Umlagerungsaufträge ändern',
    description: 'Programme erlauben, abgeschlossene Umlagerungsaufträge zu ändern.',
  },
  SALESORDER_REFERENCE_PATTERN: {
    name: 'Muster für Verkaufsaufträge',
    description:
      'Das Muster der Referenzen von Verkaufsaufträgen: `{ref:04d}` ist die Nummer, `{date:%Y}` das Datum in UTC, `?` ein beliebiges Zeichen, `#` eine Ziffer.',
  },
  SALESORDER_REQUIRE_RESPONSIBLE: {
    name: 'Verkauf: Verantwortliche verlangen',
    description: 'Ein Verkaufsauftrag braucht eine verantwortliche Person oder Gruppe.',
  },
  SALESORDER_DEFAULT_SHIPMENT: {
    name: 'Lieferung mit anlegen',
    description: 'Ein neuer Verkaufsauftrag bekommt gleich eine Lieferung.',
  },
  SALESORDER_EDIT_COMPLETED_ORDERS: {
    name: 'Abgeschlossene Verkäufe ändern',
    description: 'Programme erlauben, abgeschlossene Verkaufsaufträge zu ändern.',
  },
  PURCHASEORDER_REFERENCE_PATTERN: {
    name: 'Muster für Bestellungen',
    description:
      'Das Muster der Referenzen von Bestellungen: `{ref:04d}` ist die Nummer, `{date:%Y}` das Datum in UTC, `?` ein beliebiges Zeichen, `#` eine Ziffer.',
  },
  PURCHASEORDER_REQUIRE_RESPONSIBLE: {
    name: 'Bestellung: Verantwortliche verlangen',
    description: 'Eine Bestellung braucht eine verantwortliche Person oder Gruppe.',
  },
  PURCHASEORDER_EDIT_COMPLETED_ORDERS: {
    name: 'Abgeschlossene Bestellungen ändern',
    description: 'Programme erlauben, abgeschlossene Bestellungen zu ändern.',
  },
  PURCHASEORDER_AUTO_COMPLETE: {
    name: 'Bestellungen selbst abschließen',
    description: 'Eine Bestellung wird abgeschlossen, sobald alle Zeilen vollständig eingegangen sind.',
  },
  PROJECT_CODES_ENABLED: {
    name: 'Projektcodes',
    description: 'Programme bieten Projektcodes für Aufträge an.',
  },
  LOGIN_ENABLE_PWD_FORGOT: {
    name: 'Passwort vergessen',
    description: 'Wer sein Passwort vergessen hat, kann per E-Mail einen Link zum Zurücksetzen verlangen.',
  },
  LOGIN_ENABLE_REG: {
    name: 'Registrierung',
    description: 'Jeder kann ein Konto anlegen. Nur ein Superuser kann dies ändern.',
  },
  LOGIN_ENABLE_SSO: {
    name: 'Anmeldung über Anbieter',
    description: 'Konten können sich über die Anbieter in `SSO_PROVIDERS` der Konfiguration anmelden.',
  },
  LOGIN_ENABLE_SSO_REG: {
    name: 'Konten über Anbieter anlegen',
    description: 'Die Anmeldung über einen Anbieter legt fehlende Konten an. Nur ein Superuser kann dies ändern.',
  },
  LOGIN_MAIL_REQUIRED: {
    name: 'E-Mail-Adresse verlangen',
    description: 'Die Registrierung verlangt eine E-Mail-Adresse.',
  },
  LOGIN_SIGNUP_SSO_AUTO: {
    name: 'Angaben des Anbieters übernehmen',
    description: 'Konten, die ein Anbieter anlegt, übernehmen Namen und E-Mail-Adresse von ihm. Aus: keines von beiden.',
  },
  LOGIN_SIGNUP_MAIL_TWICE: {
    name: 'E-Mail-Adresse zweimal',
    description: 'Programme fragen bei der Registrierung zweimal nach der E-Mail-Adresse.',
  },
  LOGIN_SIGNUP_PWD_TWICE: {
    name: 'Passwort zweimal',
    description: 'Programme fragen bei der Registrierung zweimal nach dem Passwort.',
  },
  LOGIN_SIGNUP_MAIL_RESTRICTION: {
    name: 'Erlaubte Domains',
    description:
      'Domains, deren Adressen sich registrieren dürfen, wie `@example.org,@example.com`; leer für alle. Anbieter dürfen nur bestätigte Adressen dieser Domains liefern.',
  },
  SIGNUP_GROUP: {
    name: 'Gruppe neuer Konten',
    description:
      'Der Name der Gruppe, in die ein neues Konto kommt. Leer: `Members`, die bei der ersten Registrierung mit allen Rechten außer der Rolle `admin` entsteht. Nur ein Superuser kann dies ändern.',
  },
  LOGIN_ENFORCE_MFA: {
    name: 'Zweiten Faktor verlangen',
    description:
      'Alle Konten brauchen einen zweiten Faktor: Eines ohne kann nur einen einrichten. Richte zuerst selbst einen ein. Nur ein Superuser kann dies ändern.',
  },
  DISPLAY_FULL_NAMES: {
    name: 'Volle Namen zeigen',
    description: 'Programme zeigen Vor- und Nachnamen statt Benutzernamen.',
  },
  PLUGIN_ON_STARTUP: {
    name: 'Plugins beim Start prüfen',
    description: 'Stockroom prüft beim Start immer, ob Plugins installiert sind. Die Einstellung wird nur gespeichert.',
  },
  PLUGIN_UPDATE_CHECK: {
    name: 'Neue Versionen von Plugins',
    description: 'Stockroom prüft nicht auf neue Versionen von Plugins. Die Einstellung wird nur gespeichert.',
  },
  ENABLE_PLUGINS_URL: {
    name: 'Adressen von Plugins',
    description: 'Plugins können Adressen unter `/plugin/` bedienen.',
  },
  ENABLE_PLUGINS_NAVIGATION: {
    name: 'Plugins in der Navigation',
    description: 'Stockroom hat keine Plugins, die Einträge in der Navigation hinzufügen. Die Einstellung wird nur gespeichert.',
  },
  ENABLE_PLUGINS_APP: {
    name: 'Tabellen von Plugins',
    description: 'Stockroom hat keine Plugins mit eigenen Tabellen. Die Einstellung wird nur gespeichert.',
  },
  ENABLE_PLUGINS_SCHEDULE: {
    name: 'Zeitpläne von Plugins',
    description: 'Plugins können nach Plan laufen.',
  },
  ENABLE_PLUGINS_EVENTS: {
    name: 'Ereignisse für Plugins',
    description: 'Plugins können auf Ereignisse des Dienstes antworten.',
  },
}
