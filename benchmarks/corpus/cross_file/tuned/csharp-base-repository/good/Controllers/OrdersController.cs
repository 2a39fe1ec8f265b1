using Microsoft.AspNetCore.Mvc;
using Store.Data;

namespace Store.Controllers;

[ApiController]
public class OrdersController : ControllerBase
{
    private readonly OrderRepository _orders;

    public OrdersController(OrderRepository orders) => _orders = orders;

    [HttpDelete("orders/{code}")]
    public IActionResult Delete(string code)
    {
        return Ok(_orders.DeleteByCode(code));
    }
}
