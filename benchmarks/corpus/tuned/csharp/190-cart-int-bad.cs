using Microsoft.AspNetCore.Mvc;

[ApiController]
[Route("cart")]
public class CartController : ControllerBase
{
    private const int UnitCents = 1999;

    [HttpPost("total")]
    public ActionResult<int> Total([FromBody] CartRequest request)
    {
        int cents = request.Quantity * UnitCents;
        return Ok(cents);
    }
}

public record CartRequest(int Quantity);
