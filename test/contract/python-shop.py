"""Buys something with the generated client for Python. Run by description-tools.test.ts, which checks what it prints."""

import json
import os
import uuid

import dispensary
from dispensary.rest import ApiException

client = dispensary.ApiClient(
    dispensary.Configuration(
        host=os.environ["DISPENSARY_URL"],
        api_key={"consumerKey": os.environ["CONSUMER_KEY"], "clientKey": os.environ["CLIENT_KEY"]},
    )
)
orders = dispensary.OrdersApi(client)

# The generator writes `True` with a capital letter, which is no boolean of JSON.
menu = dispensary.MenuApi(client).get_menu(type="pickup", in_stock="true")
option = next(option for product in menu.data for option in product.options if option.max_quantity > 1)
lines = [{"productOptionId": option.id, "quantity": 1}]
priced = orders.price_cart({"type": "pickup", "lineItems": lines}).data
order = {
    "type": "pickup",
    "lineItems": lines,
    "customer": {"firstName": "Ada", "lastName": "Moreno", "email": "ada@customers.example.com"},
    "idempotencyKey": str(uuid.uuid4()),
    "expectedCustomerGrandTotal": priced.customer_grand_total,
}
placed = orders.place_order(order).data
again = orders.place_order(order).data
try:
    orders.place_order({**order, "idempotencyKey": str(uuid.uuid4()), "expectedCustomerGrandTotal": 1})
    refusal = None
except ApiException as error:
    refusal = json.loads(error.body)["error"]["code"]

print(
    json.dumps(
        {
            "isOneOrder": placed.id == again.id,
            "isAtPreview": placed.customer_grand_total == priced.customer_grand_total,
            "isListed": placed.id in [listed.id for listed in orders.list_orders().data],
            "shop": dispensary.OrganizationApi(client).get_organization().data.name,
            "refusal": refusal,
        }
    )
)
