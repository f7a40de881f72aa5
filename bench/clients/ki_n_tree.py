"""Creates a part by Ki-nTree. Prepared data and files replace the distributors' hosts, and the calls of its interface its window."""

import os

from steps import BASE, FOLDER, PASSWORD, RUN, USERNAME, finish, png, step

# Ki-nTree keeps its settings and files below the home folder
os.environ["HOME"] = FOLDER

from kintree.config import config_interface, settings  # noqa: E402
from kintree.database import inventree_api, inventree_interface  # noqa: E402

CATEGORY = f"Capacitors {RUN}"
TREE = [CATEGORY, "Ceramic"]


def capacitor(sku, price):
    return {
        "category_tree": TREE,
        "category_code": "CAP",
        "name": f"100nF {RUN}",
        "description": "A capacitor",
        "revision": "A",
        "keywords": "capacitor ceramic",
        "supplier_name": f"Shop {RUN}",
        "supplier_part_number": sku,
        "supplier_link": "https://example.com/c 1",
        "manufacturer_name": f"Maker of capacitors {RUN}",
        "manufacturer_part_number": f"C-{RUN}",
        "datasheet": "https://example.com/c.pdf",
        "image": "https://example.com/c.png",
        "parameters": {},
        "pricing": {1: price, 100: "$0.01"},
        # it converts prices in any other currency than the base
        "currency": inventree_api.CurrencyManager(inventree_api.inventree_api).getBaseCurrency(),
    }


def download(url, target, **options):
    """Writes a prepared file in place of the download."""
    with open(target, "wb") as file:
        file.write(png() if url.endswith("png") else b"%PDF-1.4\n%%EOF\n")
    return True


inventree_api.download_with_retry = download

with step("settings: connects with an account"):
    settings.load_inventree_settings()
    config_interface.save_inventree_user_settings(
        enable=True,
        server=BASE,
        username=USERNAME,
        password=PASSWORD,
        enable_proxy=False,
        proxies=None,
        datasheet_upload=True,
        pricing_upload=True,
        user_config_path=settings.INVENTREE_CONFIG,
    )
    settings.load_inventree_settings()
    assert inventree_interface.connect_to_server()
with step("connects with a token"):
    token = inventree_api.inventree_api.token
    assert inventree_api.connect(BASE, "", "", token=token)
with step("categories: creates a tree, finds it again"):
    parent, is_new = inventree_api.create_category(parent=None, name=CATEGORY)
    assert is_new
    child, is_new = inventree_api.create_category(parent=CATEGORY, name="Ceramic")
    assert is_new and inventree_api.get_inventree_category_id(TREE) == child
    assert inventree_api.get_category_tree(child) == {child: "Ceramic", parent: CATEGORY}
with step("categories and locations: reads the trees"):
    assert "Ceramic" in inventree_api.get_categories()[CATEGORY]
    assert inventree_api.get_stock_locations()
with step("parameter templates: creates"):
    assert inventree_api.create_parameter_template(f"Capacitance {RUN}", "F")
    assert inventree_api.create_parameter_template(f"Capacitance {RUN}", "F") == 0
with step("part, picture, datasheet, manufacturer part, supplier part, price breaks: creates"):
    is_new, pk, fields = inventree_interface.inventree_create(capacitor(f"K-{RUN}", "$0.05"), is_custom=True, show_progress=None)
    assert is_new and pk
    part = inventree_api.Part(inventree_api.inventree_api, pk)
    assert part.name == f"100nF {RUN}" and part.category == child and part.IPN == fields["IPN"] != ""
with step("picture and datasheet: are uploaded"):
    assert part.image and len(part.getAttachments()) == 1
with step("datasheet: shows its address"):
    assert inventree_api.get_part_info(pk)["datasheet"].endswith(".pdf")
with step("parameter: creates, changes"):
    created = inventree_api.create_parameter(pk, f"Capacitance {RUN}", "100 nF")
    assert created[0] and created[1]
    settings.UPDATE_INVENTREE = True
    assert inventree_api.create_parameter(pk, f"Capacitance {RUN}", "220 nF")[2]
    assert [one.data for one in part.getParameters()] == ["220 nF"]
with step("supplier part and price breaks: are there"):
    [bought] = part.getSupplierParts()
    assert bought.SKU == f"K-{RUN}" and bought.link == "https://example.com/c%201"
    assert {one.quantity: float(one.price) for one in bought.getPriceBreaks()} == {1: 0.05, 100: 0.01}
    assert len(part.getManufacturerParts()) == 1
with step("the same part again: finds it by its manufacturer part"):
    is_new, again, _ = inventree_interface.inventree_create(capacitor(f"K-{RUN}", "$0.04"), is_custom=True, show_progress=None)
    assert not is_new and again == pk and len(part.getSupplierParts()) == 1
    assert {one.quantity: float(one.price) for one in bought.getPriceBreaks()} == {1: 0.04, 100: 0.01}
with step("alternate supplier: adds by IPN"):
    other = {**capacitor(f"L-{RUN}", "$0.06"), "supplier_name": f"Other shop {RUN}"}
    assert inventree_interface.inventree_create_alternate(other, part_ipn=part.IPN)
    assert sorted(one.SKU for one in part.getSupplierParts()) == [f"K-{RUN}", f"L-{RUN}"]
with step("part: sets its default location"):
    location = inventree_api.StockLocation.create(inventree_api.inventree_api, {"name": f"Drawer {RUN}"}).pk
    inventree_api.set_part_default_location(pk, location)
    part.reload()
    assert part.default_location == location
with step(
    "stock: creates",
    client_fault="it creates the stock, but its Python client 0.17 cannot read the list that 1.5 responds with",
    error="'list' object has no attribute 'get'",
):
    inventree_api.create_stock({"part": pk, "quantity": 20, "location": location})
with step("stock: is there"):
    part.reload()
    assert part.in_stock == 20

finish()
