using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;

var app = WebApplication.CreateBuilder(args).Build();
var visits = new Dictionary<string, int>();

app.MapPost("/visit/{page}", (string page) =>
{
    if (!visits.ContainsKey(page))
    {
        visits[page] = 0;
    }
    visits[page]++;
    return visits[page];
});

app.Run();
