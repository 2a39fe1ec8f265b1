using Microsoft.AspNetCore.Mvc;

[ApiController]
[Route("cart")]
public class CartController : ControllerBase
{
    private const int UnitCents = 1999;

    [HttpPost("total")]
    public ActionResult<int> Total([FromBody] CartRequest request)
    {
        if (request.Quantity is < 1 or > 1000)
        {
            return BadRequest();
        }
        int cents = request.Quantity * UnitCents;
        return Ok(cents);
    }
}

public record CartRequest(int Quantity);
