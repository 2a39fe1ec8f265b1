using System;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Mvc;

[ApiController]
public class SubscribeController : ControllerBase
{
    private static readonly Regex Address = new(@"^([a-zA-Z0-9]+\.?)+@example\.org$");

    [HttpPost("/subscribe")]
    public IActionResult Subscribe([FromForm] string mail)
    {
        return Address.IsMatch(mail) ? Accepted() : BadRequest();
    }
}
